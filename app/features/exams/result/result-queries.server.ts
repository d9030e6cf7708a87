import { eq, sql } from 'drizzle-orm'
import {
  type DrawnQuestion,
  describeAnswer,
  displayQuestion,
  getCorrectAnswer,
  isAnswerCorrect,
  listOptions,
} from '~/features/courses/questions/drawn-question.server'
import type { LearnerAnswer } from '~/features/courses/questions/question-kind'
import { questionKinds } from '~/features/courses/questions/question-kinds'
import { explanationUrl } from '~/features/learning/lessons/lesson-url'
import type { Database } from '~/server/database/client.server'
import { exams } from '~/server/database/schema'
import { renderFormulaTexts } from '~/server/markdown/formula.server'
import { findAnswersByQuestionId } from '../attempt/answer-queries.server'
import { findAttempt } from '../attempt/attempt-queries.server'
import type { ExamOverview, GradedQuestion, ResultData, SectionScore } from '../exam-page-data'
import { toAttemptSummary } from '../exam-page-queries.server'

/**
 * Returns the result of a submitted attempt. It contains the questions only if the overview says
 * that the learner may see answers. The score by section is hidden during another attempt.
 *
 * @returns null if the attempt is in progress or belongs to another learner
 */
export async function findExamResult(
  db: Database,
  { uid, courseId, attemptId }: { uid: string; courseId: string; attemptId: string },
  { openAttemptId, canSeeAnswers }: Pick<ExamOverview, 'openAttemptId' | 'canSeeAnswers'>,
  now: Date,
): Promise<ResultData | null> {
  const attempt = await findAttempt(db, uid, attemptId, now)
  if (!attempt?.submittedAt || attempt.courseId !== courseId) {
    return null
  }

  const answers = await findAnswersByQuestionId(db, attempt)
  const lessons = await listExplainingLessons(db, courseId)
  const gradedQuestions = attempt.paper.map((drawn) => {
    const answer = answers.get(drawn.question.id) ?? null
    return gradeQuestionWithLesson(drawn, answer, { courseId, lessons })
  })

  const titles = [...lessons.values()].flatMap(({ section }) => section ?? [])
  const sectionTitles = [...new Set(titles)]
  const sections =
    openAttemptId === null
      ? computeSectionScores(gradedQuestions, sectionTitles, canSeeAnswers)
      : []

  const { startedAt, deadlineAt, submittedAt, pausedSeconds } = attempt
  const countSecondsUntil = (end: Date) =>
    (end.getTime() - startedAt.getTime()) / 1000 - pausedSeconds

  return {
    ...toAttemptSummary({
      ...attempt,
      score: attempt.score ?? 0,
      submittedAt: submittedAt.toISOString(),
    }),
    passPercent: attempt.passPercent,
    secondsUsed: countSecondsUntil(submittedAt),
    secondsAllowed: deadlineAt && countSecondsUntil(deadlineAt),
    sections,
    questions: canSeeAnswers
      ? gradedQuestions.map(({ section: _, ...question }) => question)
      : null,
  }
}

/**
 * Grades a question, and adds the lesson that explains it and its section. A question that was
 * answered right needs no explaining lesson.
 */
function gradeQuestionWithLesson(
  drawn: DrawnQuestion,
  answer: LearnerAnswer,
  { courseId, lessons }: { courseId: string; lessons: ReadonlyMap<string, ExplainingLesson> },
): GradedQuestion & { section: string | null } {
  const gradedQuestion = gradeQuestion(drawn, answer)
  const [lessonId, anchor] = drawn.question.explainedIn?.split('#') ?? []
  const lesson = lessonId === undefined ? undefined : lessons.get(lessonId)
  if (!lesson) {
    return { ...gradedQuestion, explainedIn: null, section: null }
  }

  const isRight = gradedQuestion.verdict === 'right'
  const explanationLink = {
    title: lesson.title,
    to: getExplanationUrl(courseId, lesson.id, anchor),
  }
  return {
    ...gradedQuestion,
    explainedIn: isRight ? null : explanationLink,
    section: lesson.section,
  }
}

function getExplanationUrl(courseId: string, lessonId: string, anchor: string | undefined): string {
  return explanationUrl(courseId, anchor === undefined ? lessonId : `${lessonId}#${anchor}`)
}

type ExplainingLesson = { id: string; title: string; section: string | null }

/**
 * Returns the course's lessons by their current and previous IDs. An attempt keeps its questions as
 * they were, so it may name a lesson by a previous ID.
 */
async function listExplainingLessons(
  db: Pick<Database, 'execute'>,
  courseId: string,
): Promise<Map<string, ExplainingLesson>> {
  const { rows } = await db.execute<ExplainingLesson & { previousIds: string[] }>(sql`
    select
      l.id,
      l.title,
      s.title as section,
      array(
        select alias
        from lesson_aliases a
        where a.course_id = l.course_id and a.lesson_id = l.id
      ) as "previousIds"
    from counting_lessons c
    join course_lessons l using (course_id, id)
    left join course_sections s on s.course_id = l.course_id and s.id = l.section_id
    where l.course_id = ${courseId}
    order by l.position`)

  return new Map(
    rows.flatMap(({ previousIds, ...lesson }) =>
      [lesson.id, ...previousIds].map((id) => [id, lesson] as const),
    ),
  )
}

/** Compares an answer with the correct one, and describes both. */
function gradeQuestion(
  drawn: DrawnQuestion,
  answer: LearnerAnswer,
): Omit<GradedQuestion, 'explainedIn'> {
  const { prompt, explanation, type } = drawn.question
  const displayedQuestion = displayQuestion(drawn)
  const solution = {
    explanation,
    given: answer === null ? null : describeAnswer(displayedQuestion, answer),
    typed: typeof answer === 'string',
    expected: describeAnswer(displayedQuestion, getCorrectAnswer(drawn)),
    ordered: questionKinds[type].isAnsweredByOrder,
  }

  return { prompt, verdict: getVerdict(drawn, answer), solution }
}

function getVerdict(drawn: DrawnQuestion, answer: LearnerAnswer): GradedQuestion['verdict'] {
  if (answer === null) {
    return 'unanswered'
  }

  return isAnswerCorrect(drawn, answer) ? 'right' : 'wrong'
}

/** The score of a section with fewer questions would reveal too much about each of them. */
const minQuestionsPerSection = 3

/**
 * Computes the score of an attempt in each section of its course. As long as the learner can't see
 * answers, sections with few questions are combined.
 *
 * @param titles the titles of the course's sections, in their order
 * @returns an empty list if a question belongs to no section, or if there is only one section
 */
export function computeSectionScores(
  questions: readonly { verdict: GradedQuestion['verdict']; section: string | null }[],
  titles: readonly string[],
  canSeeAnswers: boolean,
): SectionScore[] {
  if (questions.some(({ section }) => section === null)) {
    return []
  }

  const scores = titles
    .map((title) => {
      const sectionQuestions = questions.filter(({ section }) => section === title)
      const rightQuestions = sectionQuestions.filter(({ verdict }) => verdict === 'right')
      return { title, right: rightQuestions.length, total: sectionQuestions.length }
    })
    .filter(({ total }) => total > 0)
  const visibleScores = canSeeAnswers ? scores : combineSmallSections(scores)

  return visibleScores.length > 1 ? visibleScores : []
}

/**
 * Combines the sections that have too few questions. If they still have too few together, the
 * smallest of the other sections joins them.
 */
function combineSmallSections(scores: SectionScore[]): SectionScore[] {
  const scoresBySize = scores.toSorted((a, b) => a.total - b.total)
  let smallScores = scoresBySize.filter(({ total }) => total < minQuestionsPerSection)
  if (smallScores.length === 0) {
    return scores
  }

  if (sumScores(smallScores, 'total') < minQuestionsPerSection) {
    smallScores = scoresBySize.slice(0, smallScores.length + 1)
  }

  const combinedTitles = scores
    .filter((score) => smallScores.includes(score))
    .map((score) => score.title)
  const combinedScore = {
    title: new Intl.ListFormat('en-US').format(combinedTitles),
    right: sumScores(smallScores, 'right'),
    total: sumScores(smallScores, 'total'),
  }

  return [...scores.filter((score) => !smallScores.includes(score)), combinedScore]
}

function sumScores(scores: readonly SectionScore[], field: 'right' | 'total'): number {
  return scores.reduce((sum, score) => sum + score[field], 0)
}

/** Returns whether a course has an exam. */
export async function hasExam(db: Pick<Database, '$count'>, courseId: string): Promise<boolean> {
  return (await db.$count(exams, eq(exams.courseId, courseId))) > 0
}

/**
 * Returns all questions of an exam with their answers for staff, in the order of the content. No
 * attempt starts.
 *
 * @returns null if the course has no exam
 */
export async function findExamPreview(db: Pick<Database, 'select'>, courseId: string) {
  const [exam] = await db.select().from(exams).where(eq(exams.courseId, courseId))
  if (!exam) {
    return null
  }

  const { title, draw, timeLimitMinutes, passPercent } = exam
  const questions = exam.questions.map((question) => {
    const drawn = { question, order: [...listOptions(question).keys()] }
    const { solution } = gradeQuestion(drawn, null)
    return { id: question.id, ...displayQuestion(drawn), solution }
  })

  return {
    exam: { title, draw, timeLimitMinutes, passPercent },
    questions,
    formulas: renderFormulaTexts(questions),
  }
}

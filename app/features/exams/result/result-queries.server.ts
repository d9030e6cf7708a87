import { sql } from 'drizzle-orm'
import {
  type DrawnQuestion,
  describeAnswer,
  displayQuestion,
  getCorrectAnswer,
  isAnswerCorrect,
} from '~/features/courses/questions/drawn-question.server'
import type { LearnerAnswer } from '~/features/courses/questions/question-kind'
import { questionKinds } from '~/features/courses/questions/question-kinds'
import { explanationUrl } from '~/features/learning/lessons/lesson-url'
import type { Database } from '~/server/database/client.server'
import { findAnswersByQuestionId } from '../attempt/answer-queries.server'
import { findAttempt } from '../attempt/attempt-queries.server'
import type { ExamOverview, JudgedQuestion, ResultData } from '../exam-page-data'
import { summaryOf } from '../exam-page-queries.server'

/**
 * A judged attempt, question by question once answers are shown. While another attempt is under
 * way, which may ask the same questions, none is shown.
 *
 * @param overview says whether the right answers and explanations belong to it.
 * @returns null while it is under way, or if another learner took it.
 */
export async function findResult(
  db: Database,
  { uid, courseId, attemptId }: { uid: string; courseId: string; attemptId: string },
  { openAttemptId, answersShown }: Pick<ExamOverview, 'openAttemptId' | 'answersShown'>,
  now: Date,
): Promise<ResultData | null> {
  const attempt = await findAttempt(db, uid, attemptId, now)
  if (!attempt?.submittedAt || attempt.courseId !== courseId) {
    return null
  }

  const { passPercent, score, startedAt, deadlineAt, submittedAt, pausedSeconds } = attempt
  const answers = await findAnswersByQuestionId(db, attempt)
  const lessons = await listExplainingLessons(db, courseId)
  const placed = attempt.paper.map((drawn) => {
    const lesson = lessons.get(drawn.question.explainedIn?.split('#')[0] ?? '')
    const question = judged(drawn, answers.get(drawn.question.id) ?? null)
    const explainedIn =
      lesson && question.verdict !== 'right'
        ? { title: lesson.title, to: placeOf(courseId, lesson.id, drawn.question.explainedIn) }
        : null

    return { ...question, explainedIn, section: lesson?.section ?? null }
  })
  const titles = [...new Set([...lessons.values()].flatMap(({ section }) => section ?? []))]
  const secondsSince = (end: Date | null) =>
    end && (end.getTime() - startedAt.getTime()) / 1000 - pausedSeconds

  return {
    ...summaryOf({ ...attempt, score: score ?? 0, submittedAt: submittedAt.toISOString() }),
    passPercent,
    secondsUsed: secondsSince(submittedAt) ?? 0,
    secondsAllowed: secondsSince(deadlineAt),
    sections: openAttemptId === null ? sectionScores(placed, titles, answersShown) : [],
    questions: answersShown ? placed.map(({ section: _, ...question }) => question) : null,
  }
}

/** The lesson may have a new id; the place in it stays. */
function placeOf(courseId: string, lessonId: string, explainedIn = ''): string {
  const [, anchor] = explainedIn.split('#')
  return explanationUrl(courseId, anchor === undefined ? lessonId : `${lessonId}#${anchor}`)
}

type ExplainingLesson = { id: string; title: string; section: string | null }

/** By id, and by the ids that lessons had before: an attempt keeps its questions as they were. */
async function listExplainingLessons(
  db: Pick<Database, 'execute'>,
  courseId: string,
): Promise<Map<string, ExplainingLesson>> {
  const { rows } = await db.execute<ExplainingLesson & { former: string[] }>(sql`
    select l.id, l.title, s.title as section,
      array(select alias from lesson_aliases a where a.course_id = l.course_id and a.lesson_id = l.id) as former
    from counting_lessons c join course_lessons l using (course_id, id)
    left join course_sections s on s.course_id = l.course_id and s.id = l.section_id
    where l.course_id = ${courseId} order by l.position`)

  return new Map(
    rows.flatMap(({ former, ...lesson }) =>
      [lesson.id, ...former].map((id) => [id, lesson] as const),
    ),
  )
}

/** A question with its right answer, and whether the given one is it. */
export function judged(
  drawn: DrawnQuestion,
  answer: LearnerAnswer,
): Omit<JudgedQuestion, 'explainedIn'> {
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

function getVerdict(drawn: DrawnQuestion, answer: LearnerAnswer): JudgedQuestion['verdict'] {
  if (answer === null) {
    return 'unanswered'
  }

  return isAnswerCorrect(drawn, answer) ? 'right' : 'wrong'
}

export type SectionScore = { title: string; right: number; total: number }

type Placed = { verdict: 'right' | 'wrong' | 'unanswered'; section: string | null }

/** The score of a single question says whether its answer was right. */
const fewestQuestions = 3

/**
 * How an attempt went in each section of its course. Until answers are shown, sections with few
 * questions are joined.
 *
 * @param titles of the course's sections, in their order.
 * @returns nothing if a question belongs to no section, or all to one: that would tell too little.
 */
export function sectionScores(
  questions: readonly Placed[],
  titles: readonly string[],
  answersShown: boolean,
): SectionScore[] {
  if (questions.some(({ section }) => section === null)) {
    return []
  }

  const scores = titles.map((title) => {
    const asked = questions.filter(({ section }) => section === title)
    return {
      title,
      right: asked.filter(({ verdict }) => verdict === 'right').length,
      total: asked.length,
    }
  })
  const asked = scores.filter(({ total }) => total > 0)
  const shown = answersShown ? asked : withoutSmallSections(asked)

  return shown.length > 1 ? shown : []
}

/** Small sections become one, with the smallest of the others if they are too few together. */
function withoutSmallSections(scores: SectionScore[]): SectionScore[] {
  const bySize = scores.toSorted((one, other) => one.total - other.total)
  let joined = bySize.filter(({ total }) => total < fewestQuestions)
  if (joined.length === 0) {
    return scores
  }

  if (sumOf(joined, 'total') < fewestQuestions) {
    joined = bySize.slice(0, joined.length + 1)
  }

  const inOrder = scores.filter((score) => joined.includes(score))
  const title = new Intl.ListFormat('en-US').format(inOrder.map((score) => score.title))
  const rest = scores.filter((score) => !joined.includes(score))

  return [...rest, { title, right: sumOf(joined, 'right'), total: sumOf(joined, 'total') }]
}

function sumOf(scores: readonly SectionScore[], figure: 'right' | 'total'): number {
  return scores.reduce((sum, score) => sum + score[figure], 0)
}

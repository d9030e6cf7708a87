import { createHash } from 'node:crypto'
import { type SQL, sql } from 'drizzle-orm'
import type { QuizQuestion } from '~/features/courses/lessons/lesson-format.server'
import {
  type DrawnQuestion,
  displayQuestion,
  drawQuestions,
} from '~/features/courses/questions/drawn-question.server'
import type { ExamQuestion } from '~/features/courses/questions/question-kinds.server'
import type { Database } from '~/server/database/client.server'
import { questionIdSql } from '../progress/question-id.server'
import {
  dailyQuestionLimit,
  getPracticeToday,
  type PracticeCounts,
  type PracticeQuestion,
  type PracticeToday,
  type PracticeTurn,
} from './practice-data'

/** Returns whether a learner has questions to practice, today or later. */
export async function hasPracticeCards(db: Database, uid: string): Promise<boolean> {
  const {
    rows: [row],
  } = await db.execute<{ hasCards: boolean }>(sql`
    select exists (select ${fromPracticeCards(uid)}) as "hasCards"`)

  return row?.hasCards === true
}

type PracticeRow = {
  counts: PracticeCounts
  next: (PracticeTurn & { courseTitle: string; question: StoredQuestion }) | null
}

/**
 * Returns the data of the practice page in one query.
 *
 * @param today the learner's day, like "2026-11-20"
 */
export async function findPractice(
  db: Database,
  uid: string,
  today: string,
): Promise<{ today: PracticeToday; next: PracticeQuestion | null }> {
  const {
    rows: [row],
  } = await db.execute<PracticeRow>(sql`
    select
      (${selectPracticeCounts(uid, today)}) as counts,
      (
        select json_build_object(
          'courseId', card.course_id,
          'questionId', card.question_id,
          'turn', card.turn,
          'courseTitle', c.title,
          'question', q.question)
        ${fromPracticeCards(uid)} and card.due_on <= ${today}::date
        order by card.due_on, card.stability, card.course_id, card.question_id
        limit 1
      ) as next`)

  if (!row) {
    throw new Error('The query for practice must return exactly one row.')
  }

  const summary = getPracticeToday(row.counts, today)
  if (!row.next || summary.remainingCount === 0) {
    return { today: summary, next: null }
  }

  const { courseTitle, question, ...turn } = row.next
  const displayedQuestion = displayQuestion(drawQuestionForTurn(question, turn))

  return { today: summary, next: { turn, courseTitle, question: displayedQuestion } }
}

/** One more than the questions of a day, to know whether more are due. */
const maxCountedDue = dailyQuestionLimit + 1

/**
 * Returns a subquery for a JSON object of the type `PracticeCounts`.
 *
 * @param today the learner's day, like "2026-11-20"
 */
export function selectPracticeCounts(uid: string, today: string): SQL {
  const practicedToday = sql`
    from practice_cards
    where uid = ${uid} and seen_on = ${today}::date and was_right is not null`

  return sql`
    select json_build_object(
      'dueCount', (
        select count(*)
        from (
          select ${fromPracticeCards(uid)} and card.due_on <= ${today}::date
          limit ${maxCountedDue}
        ) due),
      'practicedCount', (select count(*) ${practicedToday}),
      'correctCount', (select count(*) ${practicedToday} and was_right),
      'nextDueDay', (
        select card.due_on
        ${fromPracticeCards(uid)} and card.due_on > ${today}::date
        order by card.due_on
        limit 1))`
}

/**
 * Returns the `from` and `where` clauses of a query for a learner's cards, as `card`, with their
 * course `c` and their question `q`. More conditions can follow after `and`.
 *
 * Questions that no longer exist are left out. So are exam questions of a course whose exam is in
 * progress, because the exam may ask the same ones.
 */
export function fromPracticeCards(uid: string): SQL {
  return sql`
    from practice_cards card
    join enrollments e on e.uid = card.uid and e.course_id = card.course_id
    join courses c on c.id = card.course_id and c.published
    cross join lateral (
      select question
      from course_lessons l, jsonb_array_elements(l.questions) question
      where l.course_id = card.course_id and l.id = card.lesson_id and not l.retired
        and ${questionIdSql(sql`question ->> 'question'`)} = card.question_id
      union all
      select question
      from exams x, jsonb_array_elements(x.questions) question
      where card.lesson_id is null and x.course_id = card.course_id
        and ${questionIdSql(sql`'exam:' || (question ->> 'id')`)} = card.question_id
        and not exists (
          select from exam_attempts a
          where a.uid = card.uid and a.course_id = card.course_id and a.submitted_at is null)
    ) q
    where card.uid = ${uid}`
}

/** A question of a quiz or an exam, as the database stores it. */
export type StoredQuestion = QuizQuestion | ExamQuestion

/**
 * Puts the options of a question into the order of a turn. The order is different in each turn, but
 * the same when the question is asked and when its answer is judged.
 */
export function drawQuestionForTurn(
  stored: StoredQuestion,
  { courseId, questionId, turn }: PracticeTurn,
): DrawnQuestion {
  let drawCount = 0
  const getPseudoRandomBelow = (limit: number) => {
    const seed = `${courseId} ${questionId} ${turn} ${drawCount++}`
    return createHash('sha256').update(seed).digest().readUInt32BE() % limit
  }

  const [drawnQuestion] = drawQuestions([toExamQuestion(stored)], 1, getPseudoRandomBelow)
  if (!drawnQuestion) {
    throw new Error('Drawing one of one question must return it.')
  }

  return drawnQuestion
}

/**
 * Converts a quiz question to an exam question. Practice asks every question like an exam: the
 * server judges the answer, and only then explains it.
 */
function toExamQuestion(stored: StoredQuestion): ExamQuestion {
  if ('type' in stored) {
    return stored
  }

  const { question: prompt, explanation, options } = stored
  const optionTexts = options.map(({ text }) => text)
  const [answer = '', ...moreAnswers] = options
    .filter(({ correct }) => correct)
    .map(({ text }) => text)
  const commonFields = { id: '', prompt, explanation, options: optionTexts }

  return moreAnswers.length === 0
    ? { type: 'single', ...commonFields, answer }
    : { type: 'multiple', ...commonFields, answers: [answer, ...moreAnswers] }
}

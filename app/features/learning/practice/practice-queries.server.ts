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
  type PracticeCounts,
  type PracticeQuestion,
  type PracticeToday,
  type PracticeTurn,
  practiceToday,
  questionsADay,
} from './practice-data'

/**
 * A learner's cards `k` with their question `q`, without questions that left the content, and
 * without the exam of a course while an attempt is under way, which may ask the same.
 */
export function practiceCardRows(uid: string): SQL {
  return sql`practice_cards k
    join enrollments e on e.uid = k.uid and e.course_id = k.course_id
    join courses c on c.id = k.course_id and c.published
    cross join lateral (
      select question from course_lessons l, jsonb_array_elements(l.questions) question
      where l.course_id = k.course_id and l.id = k.lesson_id and not l.retired
        and ${questionIdSql(sql`question ->> 'question'`)} = k.question_id
      union all
      select question from exams x, jsonb_array_elements(x.questions) question
      where k.lesson_id is null and x.course_id = k.course_id
        and ${questionIdSql(sql`'exam:' || (question ->> 'id')`)} = k.question_id
        and not exists (select from exam_attempts a
          where a.uid = k.uid and a.course_id = k.course_id and a.submitted_at is null)
    ) q
    where k.uid = ${uid}`
}

/** One more than a day's questions, to see whether others wait. */
const countedAtMost = questionsADay + 1

/**
 * `PracticeCounts` as JSON, for a part of another query.
 *
 * @param today the learner's, like 2026-11-20.
 */
export function practiceCounts(uid: string, today: string): SQL {
  const practiced = sql`from practice_cards where uid = ${uid} and seen_on = ${today}::date and was_right is not null`
  return sql`
    select json_build_object(
      'due', (select count(*) from (select from ${practiceCardRows(uid)} and k.due_on <= ${today}::date limit ${countedAtMost}) due),
      'practiced', (select count(*) ${practiced}),
      'right', (select count(*) ${practiced} and was_right),
      'nextOn', (select k.due_on from ${practiceCardRows(uid)} and k.due_on > ${today}::date order by k.due_on limit 1))`
}

/** Whether a learner has questions to practice, today or later. */
export async function hasPractice(db: Database, uid: string): Promise<boolean> {
  const {
    rows: [row],
  } = await db.execute<{ found: boolean }>(
    sql`select exists (select from ${practiceCardRows(uid)}) as found`,
  )

  return row?.found === true
}

type NextRow = {
  counts: PracticeCounts
  next: {
    courseId: string
    questionId: string
    turn: number
    course: string
    question: StoredQuestion
  } | null
}

/** The practice page's data, in one round trip. @param today the learner's, like 2026-11-20. */
export async function findPractice(
  db: Database,
  uid: string,
  today: string,
): Promise<{ today: PracticeToday; next: PracticeQuestion | null }> {
  const {
    rows: [row],
  } = await db.execute<NextRow>(sql`
    select (${practiceCounts(uid, today)}) as counts,
      (select json_build_object('courseId', k.course_id, 'questionId', k.question_id, 'turn', k.turn, 'course', c.title,
          'question', q.question)
        from ${practiceCardRows(uid)} and k.due_on <= ${today}::date
        order by k.due_on, k.stability, k.course_id, k.question_id limit 1) as next`)

  if (!row) {
    throw new Error('The statement gives exactly one row.')
  }

  const summary = practiceToday(row.counts, today)
  if (!row.next || summary.left === 0) {
    return { today: summary, next: null }
  }

  const { course, question, ...turn } = row.next

  return {
    today: summary,
    next: { turn, course, question: displayQuestion(drawForTurn(question, turn)) },
  }
}

export type StoredQuestion = QuizQuestion | ExamQuestion

/**
 * Practice asks every question in the way of exams: it is judged by the server, and only then
 * explained.
 */
function examQuestionOf(stored: StoredQuestion): ExamQuestion {
  if ('type' in stored) {
    return stored
  }

  const { question: prompt, explanation, options } = stored
  const texts = options.map(({ text }) => text)
  const [answer = '', ...more] = options.filter(({ correct }) => correct).map(({ text }) => text)
  const shared = { id: '', prompt, explanation, options: texts }

  return more.length === 0
    ? { type: 'single', ...shared, answer }
    : { type: 'multiple', ...shared, answers: [answer, ...more] }
}

/**
 * The question with its options in an order that is another one each turn, and the same for asking
 * and for judging.
 */
export function drawForTurn(
  stored: StoredQuestion,
  { courseId, questionId, turn }: PracticeTurn,
): DrawnQuestion {
  let draws = 0
  const randomBelow = (limit: number) => {
    const seed = `${courseId} ${questionId} ${turn} ${draws++}`
    return createHash('sha256').update(seed).digest().readUInt32BE() % limit
  }
  const [drawn] = drawQuestions([examQuestionOf(stored)], 1, randomBelow)
  if (!drawn) {
    throw new Error('One question was drawn of one.')
  }

  return drawn
}

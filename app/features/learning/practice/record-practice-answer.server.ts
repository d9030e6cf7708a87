import { sql } from 'drizzle-orm'
import * as z from 'zod'
import {
  displayQuestion,
  getCorrectAnswer,
  isAnswerCorrect,
} from '~/features/courses/questions/drawn-question.server'
import { applyMoveCommand } from '~/features/courses/questions/kinds/positions'
import { findQuestionKind, readAnswer } from '~/features/courses/questions/question-kinds'
import { learnerLimits } from '~/features/enrollment/learner-limits'
import { lockCourseProgress } from '~/features/enrollment/learner-locks.server'
import type { Transaction } from '~/server/database/client.server'
import { explanationUrl } from '../lessons/lesson-url'
import type { LearningContext } from '../progress/course-completion.server'
import { schedulePracticedQuestion } from '../progress/missed-question-queries.server'
import { addDays, localDay } from '../progress/study-time'
import { toTimeMultirange } from '../progress/watched-intervals'
import type { PracticeFeedback, PracticeTurn } from './practice-data'
import { drawForTurn, practiceCardRows, type StoredQuestion } from './practice-queries.server'

const practiceTurn = z.object({
  courseId: z.string().min(1).max(200),
  questionId: z.string().regex(/^[0-9a-f]{12}$/),
  turn: z.coerce.number().int().min(0).max(1_000_000),
})

type GivenAnswer = { uid: string; turn: PracticeTurn; value: unknown; timeZone: string }

type CardRow = {
  turn: number
  stability: number
  difficulty: number
  daysSince: number
  course: string
  question: StoredQuestion
  lessonId: string | null
  /** The latest practice answer of the learner's, in milliseconds since 1970, as text. */
  latestAt: string | null
  studiedToday: boolean
}

/**
 * `gone`: the content has the question no more. `unreadable`: no answer to it. `none`: nothing was
 * chosen.
 */
type PracticeOutcome =
  | { feedback: PracticeFeedback }
  | { feedback: null; why: 'gone' | 'unreadable' | 'none' }

/**
 * Judges an answer and stores when the question comes back. The same turn again, from another tab
 * or sent twice, is judged and changes nothing.
 *
 * @param value from outside, not checked yet; `give-up` counts as wrong.
 */
export function recordPracticeAnswer(
  { db, followUp }: LearningContext,
  { uid, turn, value, timeZone }: GivenAnswer,
  now: Date,
): Promise<PracticeOutcome> {
  const today = localDay(now, timeZone)
  return db.transaction(async (transaction) => {
    await lockCourseProgress(transaction, uid, turn.courseId)
    const card = await lockCard(transaction, uid, turn, today)
    if (!card) {
      return { feedback: null, why: 'gone' }
    }

    const drawn = drawForTurn(card.question, turn)
    const shown = displayQuestion(drawn)
    const answer = value === 'give-up' ? null : readAnswer(shown, value)
    if (answer === undefined || turn.turn > card.turn) {
      return { feedback: null, why: 'unreadable' }
    }

    if (answer === null && value !== 'give-up') {
      return { feedback: null, why: 'none' }
    }

    const right = isAnswerCorrect(drawn, answer)
    if (turn.turn === card.turn) {
      await writeCard(transaction, uid, turn, { ...card, right, today }, now)
      await recordStudied(transaction, uid, { today, latestAt: card.latestAt }, now)
      if (!card.studiedToday) {
        await followUp(transaction, { uid, courseId: turn.courseId }, now)
      }
    }

    const { explanation } = card.question

    return {
      feedback: {
        turn,
        question: shown,
        course: card.course,
        given: answer,
        isRight: right,
        solution: getCorrectAnswer(drawn),
        explanation,
        place: placeOf(turn.courseId, card),
      },
    }
  })
}

async function lockCard(
  transaction: Transaction,
  uid: string,
  { courseId, questionId }: PracticeTurn,
  today: string,
): Promise<CardRow | null> {
  const {
    rows: [row],
  } = await transaction.execute<CardRow>(sql`
    select k.turn, k.stability, k.difficulty, ${today}::date - k.seen_on as "daysSince", c.title as course, q.question,
      k.lesson_id as "lessonId",
      (select (extract(epoch from max(seen_at)) * 1000)::bigint::text from practice_cards
        where uid = k.uid and seen_on = ${today}::date and was_right is not null) as "latestAt",
      exists (select from study_days d where d.uid = k.uid and d.day = ${today}::date) as "studiedToday"
    from ${practiceCardRows(uid)} and k.course_id = ${courseId} and k.question_id = ${questionId}
    for update of k`)

  return row ?? null
}

type Answered = CardRow & { right: boolean; today: string }

async function writeCard(
  transaction: Transaction,
  uid: string,
  { courseId, questionId }: PracticeTurn,
  { stability, difficulty, daysSince, right, today }: Answered,
  now: Date,
): Promise<void> {
  const { memory, days } = schedulePracticedQuestion({ stability, difficulty }, daysSince, right)
  await transaction.execute(sql`
    update practice_cards set stability = ${memory.stability}::float8, difficulty = ${memory.difficulty}::float8,
      turn = turn + 1, seen_at = ${now.toISOString()}::timestamptz, seen_on = ${today}::date,
      due_on = ${addDays(today, days)}::date, was_right = ${right}::boolean
    where uid = ${uid} and course_id = ${courseId} and question_id = ${questionId}`)
}

/** A longer pause between two answers says nothing about the answer. */
const answeringMs = 120_000

/**
 * Practice is learning: from one answer to the next, or a second for the first one, so that the day
 * counts.
 */
async function recordStudied(
  transaction: Transaction,
  uid: string,
  { today, latestAt }: { today: string; latestAt: string | null },
  now: Date,
): Promise<void> {
  const end = now.getTime()
  const latest = Number(latestAt ?? 0)
  const start = latest < end && end - latest <= answeringMs ? latest : end - 1000
  const studied = toTimeMultirange([[start, end]])
  await transaction.execute(sql`
    insert into study_days as d (uid, day, studied) values (${uid}, ${today}::date, ${studied}::tstzmultirange)
    on conflict (uid, day) do update set studied = d.studied + excluded.studied
      where (select count(*) from unnest(d.studied + excluded.studied)) <= ${learnerLimits.studiedPieces}::int`)
}

function placeOf(courseId: string, { question, lessonId }: CardRow): string | null {
  const explainedIn = question.explainedIn ?? lessonId
  return explainedIn && explanationUrl(courseId, explainedIn)
}

/** Reads an answer that waited in the browser: the form as it was sent. */
export const postponedAnswer = z.object({
  uid: z.string().min(1).max(200),
  fields: z.array(z.tuple([z.string().max(100), z.string().max(1000)])).max(100),
})

/** Reads the practice page's form, also without a script; null for an invalid form. */
export function readPracticeForm(
  form: FormData,
): (Pick<GivenAnswer, 'turn' | 'value'> & { moved: readonly number[] | null }) | null {
  const { data: turn } = practiceTurn.safeParse(Object.fromEntries(form))
  if (!turn) {
    return null
  }

  const given = form.getAll('answer').map(String)
  const move = form.get('move')
  // Without a script, each step of an ordering comes here.
  if (typeof move === 'string') {
    return { turn, value: null, moved: applyMoveCommand(given.map(Number), move) }
  }

  if (form.get('intent') === 'give-up') {
    return { turn, value: 'give-up', moved: null }
  }

  const kind = findQuestionKind(String(form.get('type')))
  return kind && { turn, value: kind.readFormFields(given), moved: null }
}

/**
 * A learner's answers in practice. Each practiced question has a card, which counts its turns and
 * has the date of the next one. An answer belongs to one turn of a card, so an answer that is sent
 * twice, or from two tabs, is stored once.
 */
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
import { schedulePracticedQuestion } from '../progress/practice-schedule'
import { addDays, localDay } from '../progress/study-time'
import { toTimeMultirange } from '../progress/watched-intervals'
import type { PracticeFeedback, PracticeTurn } from './practice-data'
import {
  drawQuestionForTurn,
  fromPracticeCards,
  type StoredQuestion,
} from './practice-queries.server'

/** What a learner submitted in one turn of a question. */
type PracticeSubmission = {
  turn: PracticeTurn
  /** The answer, which has not been checked. */
  value: unknown
  /** Whether the learner doesn't know the answer. This counts as a wrong answer. */
  isGivenUp: boolean
}

/**
 * Why an answer was not accepted: the course no longer has the question, no such answer or turn is
 * possible, or nothing was chosen.
 */
type PracticeProblem = 'gone' | 'unreadable' | 'unanswered'

type PracticeOutcome = { feedback: PracticeFeedback } | { feedback: null; problem: PracticeProblem }

/**
 * Judges an answer and schedules the next turn of the question. The answer to an earlier turn is
 * judged, too, but changes nothing.
 */
export function recordPracticeAnswer(
  { db, grantDueRewards }: LearningContext,
  { uid, turn, value, isGivenUp, timeZone }: PracticeSubmission & { uid: string; timeZone: string },
  now: Date,
): Promise<PracticeOutcome> {
  const today = localDay(now, timeZone)
  return db.transaction(async (transaction) => {
    await lockCourseProgress(transaction, uid, turn.courseId)
    const card = await lockCard(transaction, uid, turn, today)
    if (!card) {
      return { feedback: null, problem: 'gone' }
    }

    const drawnQuestion = drawQuestionForTurn(card.question, turn)
    const question = displayQuestion(drawnQuestion)
    const answer = isGivenUp ? null : readAnswer(question, value)
    if (answer === undefined || turn.turn > card.turn) {
      return { feedback: null, problem: 'unreadable' }
    }

    if (answer === null && !isGivenUp) {
      return { feedback: null, problem: 'unanswered' }
    }

    const isCorrect = isAnswerCorrect(drawnQuestion, answer)
    const isCurrentTurn = turn.turn === card.turn
    if (isCurrentTurn) {
      await updateCard(transaction, uid, turn, { ...card, isCorrect, today }, now)
      await recordStudyTime(transaction, uid, { today, latestAnswerAt: card.latestAnswerAt }, now)
    }

    if (isCurrentTurn && !card.hasStudiedToday) {
      await grantDueRewards(transaction, { uid, courseId: turn.courseId }, now)
    }

    const feedback: PracticeFeedback = {
      turn,
      question,
      courseTitle: card.courseTitle,
      answer,
      isCorrect,
      correctAnswer: getCorrectAnswer(drawnQuestion),
      explanation: card.question.explanation,
      explanationUrl: getExplanationUrl(turn.courseId, card),
    }
    return { feedback }
  })
}

type CardRow = {
  turn: number
  stability: number
  difficulty: number
  daysSince: number
  courseTitle: string
  question: StoredQuestion
  lessonId: string | null
  /** The time of the learner's latest answer today, in milliseconds since 1970, as text. */
  latestAnswerAt: string | null
  hasStudiedToday: boolean
}

/** Locks the learner's card of a question. Returns null if the question no longer exists. */
async function lockCard(
  transaction: Transaction,
  uid: string,
  { courseId, questionId }: PracticeTurn,
  today: string,
): Promise<CardRow | null> {
  const {
    rows: [row],
  } = await transaction.execute<CardRow>(sql`
    select
      k.turn,
      k.stability,
      k.difficulty,
      ${today}::date - k.seen_on as "daysSince",
      c.title as "courseTitle",
      q.question,
      k.lesson_id as "lessonId",
      (
        select (extract(epoch from max(seen_at)) * 1000)::bigint::text
        from practice_cards
        where uid = k.uid and seen_on = ${today}::date and was_right is not null
      ) as "latestAnswerAt",
      exists (
        select from study_days d where d.uid = k.uid and d.day = ${today}::date
      ) as "hasStudiedToday"
    ${fromPracticeCards(uid)}
      and k.course_id = ${courseId} and k.question_id = ${questionId}
    for update of k`)

  return row ?? null
}

type JudgedCard = CardRow & { isCorrect: boolean; today: string }

/** Starts the next turn of a card, and schedules it. */
async function updateCard(
  transaction: Transaction,
  uid: string,
  { courseId, questionId }: PracticeTurn,
  { stability, difficulty, daysSince, isCorrect, today }: JudgedCard,
  now: Date,
): Promise<void> {
  const { memory, days } = schedulePracticedQuestion(
    { stability, difficulty },
    daysSince,
    isCorrect,
  )
  await transaction.execute(sql`
    update practice_cards set
      stability = ${memory.stability}::float8,
      difficulty = ${memory.difficulty}::float8,
      turn = turn + 1,
      seen_at = ${now.toISOString()}::timestamptz,
      seen_on = ${today}::date,
      due_on = ${addDays(today, days)}::date,
      was_right = ${isCorrect}::boolean
    where uid = ${uid} and course_id = ${courseId} and question_id = ${questionId}`)
}

/** A longer pause between two answers doesn't count as study time. */
const maxAnswerMs = 120_000

/**
 * Records the time from the latest answer to this one as study time. The first answer counts one
 * second, so that the day is a study day.
 */
async function recordStudyTime(
  transaction: Transaction,
  uid: string,
  { today, latestAnswerAt }: { today: string; latestAnswerAt: string | null },
  now: Date,
): Promise<void> {
  const end = now.getTime()
  const previousAnswerAt = Number(latestAnswerAt ?? 0)
  const isContinued = previousAnswerAt < end && end - previousAnswerAt <= maxAnswerMs
  const start = isContinued ? previousAnswerAt : end - 1000
  const studied = toTimeMultirange([[start, end]])

  await transaction.execute(sql`
    insert into study_days as d (uid, day, studied)
    values (${uid}, ${today}::date, ${studied}::tstzmultirange)
    on conflict (uid, day) do update set studied = d.studied + excluded.studied
    where (select count(*) from unnest(d.studied + excluded.studied))
      <= ${learnerLimits.studyIntervals}::int`)
}

function getExplanationUrl(courseId: string, { question, lessonId }: CardRow): string | null {
  const explainedIn = question.explainedIn ?? lessonId
  return explainedIn && explanationUrl(courseId, explainedIn)
}

/** An answer that has waited in the browser: the fields of the form as they were submitted. */
export const postponedAnswerSchema = z.object({
  uid: z.string().min(1).max(200),
  fields: z.array(z.tuple([z.string().max(100), z.string().max(1000)])).max(100),
})

const practiceTurnSchema = z.object({
  courseId: z.string().min(1).max(200),
  questionId: z.string().regex(/^[0-9a-f]{12}$/),
  turn: z.coerce.number().int().min(0).max(1_000_000),
})

/**
 * Reads the form of the practice page.
 *
 * @returns null for an invalid form. `newOrder` is set if a button of an ordering question moved an
 *   item. Without JavaScript, these buttons submit the form, which gives no answer yet.
 */
export function readPracticeForm(
  form: FormData,
): (PracticeSubmission & { newOrder: readonly number[] | null }) | null {
  const { data: turn } = practiceTurnSchema.safeParse(Object.fromEntries(form))
  if (!turn) {
    return null
  }

  const answerFields = form.getAll('answer').map(String)
  const moveCommand = form.get('move')
  if (typeof moveCommand === 'string') {
    const newOrder = applyMoveCommand(answerFields.map(Number), moveCommand)
    return { turn, value: null, isGivenUp: false, newOrder }
  }

  if (form.get('intent') === 'give-up') {
    return { turn, value: null, isGivenUp: true, newOrder: null }
  }

  const kind = findQuestionKind(String(form.get('type')))
  if (!kind) {
    return null
  }

  const value = kind.readFormFields(answerFields)
  return { turn, value, isGivenUp: false, newOrder: null }
}

/**
 * Records a learner's answers in practice. Each practiced question has a card with the number of
 * its current turn and the date on which it is due. An answer belongs to one turn of a card, so an
 * answer that is sent twice, or from two tabs, counts once.
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
  {
    uid,
    turn: answeredTurn,
    value,
    isGivenUp,
    timeZone,
  }: PracticeSubmission & { uid: string; timeZone: string },
  now: Date,
): Promise<PracticeOutcome> {
  const today = localDay(now, timeZone)
  return db.transaction(async (transaction) => {
    await lockCourseProgress(transaction, uid, answeredTurn.courseId)
    const card = await lockCard(transaction, uid, answeredTurn, today)
    if (!card) {
      return { feedback: null, problem: 'gone' }
    }

    const drawnQuestion = drawQuestionForTurn(card.question, answeredTurn)
    const question = displayQuestion(drawnQuestion)
    const answer = isGivenUp ? null : readAnswer(question, value)
    const isInvalidAnswer = answer === undefined
    // The page never shows a turn that is later than the card's.
    const isInvalidTurn = answeredTurn.turn > card.turn
    if (isInvalidAnswer || isInvalidTurn) {
      return { feedback: null, problem: 'unreadable' }
    }

    const isUnanswered = answer === null && !isGivenUp
    if (isUnanswered) {
      return { feedback: null, problem: 'unanswered' }
    }

    const isCorrect = isAnswerCorrect(drawnQuestion, answer)
    const isCurrentTurn = answeredTurn.turn === card.turn
    if (isCurrentTurn) {
      await updateCard(transaction, uid, answeredTurn, { ...card, isCorrect, today }, now)
      await recordStudyTime(transaction, uid, today, card.previousAnswerMs, now)
    }

    if (isCurrentTurn && !card.hasStudiedToday) {
      await grantDueRewards(transaction, { uid, courseId: answeredTurn.courseId }, now)
    }

    const feedback: PracticeFeedback = {
      turn: answeredTurn,
      question,
      courseTitle: card.courseTitle,
      answer,
      isCorrect,
      correctAnswer: getCorrectAnswer(drawnQuestion),
      explanation: card.question.explanation,
      explanationUrl: getExplanationUrl(answeredTurn.courseId, card),
    }
    return { feedback }
  })
}

type CardRow = {
  turn: number
  stability: number
  difficulty: number
  /** The number of days since the learner's previous turn of this question. */
  daysSince: number
  courseTitle: string
  question: StoredQuestion
  /** The lesson whose quiz has the question, or null for a question of the exam. */
  lessonId: string | null
  /**
   * The time of the learner's previous answer today, to any question, in milliseconds since 1970.
   */
  previousAnswerMs: number | null
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
      card.turn,
      card.stability,
      card.difficulty,
      ${today}::date - card.seen_on as "daysSince",
      c.title as "courseTitle",
      q.question,
      card.lesson_id as "lessonId",
      (
        select (extract(epoch from max(seen_at)) * 1000)::float8
        from practice_cards
        where uid = card.uid and seen_on = ${today}::date and was_right is not null
      ) as "previousAnswerMs",
      exists (
        select
        from study_days d
        where d.uid = card.uid and d.day = ${today}::date
      ) as "hasStudiedToday"
    ${fromPracticeCards(uid)}
      and card.course_id = ${courseId} and card.question_id = ${questionId}
    for update of card`)

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
const maxPauseMs = 120_000

/**
 * Records the time from the previous answer to this one as study time. The first answer, and one
 * after a long pause, counts as one second, so that its day is a study day.
 */
async function recordStudyTime(
  transaction: Transaction,
  uid: string,
  today: string,
  previousAnswerMs: number | null,
  now: Date,
): Promise<void> {
  const end = now.getTime()
  const isContinued =
    previousAnswerMs !== null && previousAnswerMs < end && end - previousAnswerMs <= maxPauseMs
  const start = isContinued ? previousAnswerMs : end - 1000
  const studied = toTimeMultirange([[start, end]])

  // A day that has the maximum number of intervals stays as it is.
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

/** An answer that has waited in the browser. It has the fields of the practice page's form. */
export const postponedAnswerSchema = z.object({
  uid: z.string().min(1).max(200),
  fields: z.array(z.tuple([z.string().max(100), z.string().max(1000)])).max(100),
})

const practiceTurnSchema = z.object({
  courseId: z.string().min(1).max(200),
  questionId: z.string().regex(/^[0-9a-f]{12}$/),
  turn: z.coerce.number().int().min(0).max(1_000_000),
})

type PracticeForm = PracticeSubmission & {
  /**
   * The new order of an ordering question, after a button moved one of its items. Without
   * JavaScript, these buttons submit the form. Null if the form submits an answer.
   */
  newOrder: readonly number[] | null
}

/** Reads the form of the practice page. Returns null for an invalid form. */
export function readPracticeForm(form: FormData): PracticeForm | null {
  const { data: turn } = practiceTurnSchema.safeParse(Object.fromEntries(form))
  if (!turn) {
    return null
  }

  const answerFields = form.getAll('answer').map(String)
  const moveCommand = form.get('move')
  if (typeof moveCommand === 'string') {
    const order = answerFields.map(Number)
    const newOrder = applyMoveCommand(order, moveCommand)
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

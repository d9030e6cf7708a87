/**
 * Stores the answers of an attempt as they are given.
 *
 * Each answer has a revision, which the browser increases with every change. An older revision that
 * arrives late never replaces a newer one, and a repeated request has no further effect. The
 * response never says whether an answer is correct.
 */
import { and, eq, sql } from 'drizzle-orm'
import * as z from 'zod'
import { displayQuestion } from '~/features/courses/questions/drawn-question.server'
import type { LearnerAnswer } from '~/features/courses/questions/question-kind'
import { readAnswer } from '~/features/courses/questions/question-kinds'
import type { Database } from '~/server/database/client.server'
import { examAnswers, examAttempts } from '~/server/database/schema'
import { answerGraceMs } from './attempt-rules'

export type RecordAnswerResult =
  /** `deadlineAt` is the current deadline as an ISO date-time. Maintenance may have moved it. */
  | { outcome: 'saved'; revision: number; answer: LearnerAnswer; deadlineAt: string | null }
  /** Another tab or device has saved this answer, `ageMs` ago. */
  | { outcome: 'stale'; revision: number; answer: LearnerAnswer; ageMs: number }
  /** The attempt is submitted, or its time has run out. */
  | { outcome: 'closed' }
  /** The learner has no such attempt, or the attempt has no such question. */
  | { outcome: 'unknown' }
  | { outcome: 'unreadable' }

const answerRequest = z.strictObject({
  attemptId: z.string().min(1).max(64),
  question: z.int(),
  value: z.union([z.number(), z.array(z.number()).max(50), z.string().max(1000), z.null()]),
  revision: z.int(),
  ageMs: z.number().min(0),
})

const statusByOutcome: Record<RecordAnswerResult['outcome'], number> = {
  saved: 200,
  stale: 409,
  closed: 410,
  unknown: 404,
  unreadable: 422,
}

/** Records an answer that a browser sent as JSON. Returns the status and body of the response. */
export async function recordAnswerFromRequest(
  db: Database,
  uid: string,
  requestBody: unknown,
  now: Date,
) {
  const parsedRequest = answerRequest.safeParse(requestBody)
  if (!parsedRequest.success) {
    return { status: 422, body: { outcome: 'unreadable' as const } }
  }

  const result = await recordAnswer(db, { uid, ...parsedRequest.data }, now)
  return { status: statusByOutcome[result.outcome], body: result }
}

type SubmittedAnswer = {
  uid: string
  attemptId: string
  /** The number of the question in the attempt, from 1. */
  question: number
  /** The value as submitted, which has not been validated. */
  value: unknown
  /** How long ago the answer was given. It waits on a device that is offline. */
  ageMs?: number
  /**
   * One more than the latest revision that the browser knows. Without a revision, the answer counts
   * as newer than the stored one.
   */
  revision?: number
}

const maxRevision = 1_000_000

/**
 * Records an answer of a learner's attempt, unless a newer one is stored or the attempt is closed.
 */
export async function recordAnswer(
  db: Database,
  submittedAnswer: SubmittedAnswer,
  now: Date,
): Promise<RecordAnswerResult> {
  const { uid, attemptId, question, value, revision, ageMs = 0 } = submittedAnswer
  if (revision !== undefined && !isRevision(revision)) {
    return { outcome: 'unreadable' }
  }

  const [attempt] = await db
    .select({
      paper: examAttempts.paper,
      startedAt: examAttempts.startedAt,
      deadlineAt: examAttempts.deadlineAt,
    })
    .from(examAttempts)
    .where(and(eq(examAttempts.uid, uid), eq(examAttempts.id, attemptId)))
  const drawnQuestion = attempt?.paper[question - 1]
  if (!attempt || !drawnQuestion) {
    return { outcome: 'unknown' }
  }

  const answer = readAnswer(displayQuestion(drawnQuestion), value)
  if (answer === undefined) {
    return { outcome: 'unreadable' }
  }

  const questionId = drawnQuestion.question.id
  const answeredMs = now.getTime() - Math.max(ageMs, 0)
  const answeredAt = new Date(Math.max(answeredMs, attempt.startedAt.getTime()))
  const { isOpen, savedRevision } = await saveIfNewer(
    db,
    { uid, attemptId, questionId, answer, revision, answeredAt },
    now,
  )
  if (!isOpen) {
    return { outcome: 'closed' }
  }

  if (savedRevision !== null) {
    const deadlineAt = attempt.deadlineAt?.toISOString() ?? null
    return { outcome: 'saved', revision: savedRevision, answer, deadlineAt }
  }

  // The newer answer is read only now, because it may have been stored while this request waited.
  const newerAnswer = await getStoredAnswer(db, { uid, id: attemptId }, questionId)
  return {
    outcome: 'stale',
    revision: newerAnswer.revision,
    answer: newerAnswer.answer,
    ageMs: now.getTime() - newerAnswer.answeredAt.getTime(),
  }
}

function isRevision(revision: number): boolean {
  return Number.isInteger(revision) && revision > 0 && revision <= maxRevision
}

type NewAnswer = {
  uid: string
  attemptId: string
  questionId: string
  answer: LearnerAnswer
  revision: number | undefined
  answeredAt: Date
}

/**
 * Saves an answer if its attempt is open and no newer revision is stored.
 *
 * @returns `savedRevision` is null if a newer revision is stored or the attempt is closed
 */
async function saveIfNewer(
  db: Database,
  { uid, attemptId, questionId, answer, revision, answeredAt }: NewAnswer,
  now: Date,
): Promise<{ isOpen: boolean; savedRevision: number | null }> {
  const { rows } = await db.execute<{ isOpen: boolean; savedRevision: number | null }>(sql`
    with open_attempt as (
      select uid, id
      from exam_attempts
      where uid = ${uid}
        and id = ${attemptId}
        and submitted_at is null
        and deadline_at + ${answerGraceMs / 1000}::int * interval '1 second'
          >= ${now.toISOString()}::timestamptz
      for share
    ),
    stored as (
      select revision
      from exam_answers
      where uid = ${uid} and attempt_id = ${attemptId} and question_id = ${questionId}
    ),
    saved as (
      insert into exam_answers as a
        (uid, attempt_id, question_id, answer, revision, answered_at)
      select
        uid,
        id,
        ${questionId}::text,
        ${JSON.stringify(answer)}::text::jsonb,
        coalesce(${revision ?? null}::int, (select revision + 1 from stored), 1),
        ${answeredAt.toISOString()}::timestamptz
      from open_attempt
      on conflict (uid, attempt_id, question_id) do update
        set
          answer = excluded.answer,
          revision = excluded.revision,
          answered_at = excluded.answered_at
        where excluded.revision > a.revision
          or (excluded.revision = a.revision and excluded.answer is not distinct from a.answer)
      returning a.revision
    )
    select
      exists (select from open_attempt) as "isOpen",
      (select revision from saved) as "savedRevision"`)

  return rows[0] ?? { isOpen: false, savedRevision: null }
}

/** @throws if the question has no stored answer */
async function getStoredAnswer(
  db: Pick<Database, 'select'>,
  attempt: { uid: string; id: string },
  questionId: string,
): Promise<StoredAnswer> {
  const storedAnswers = await findStoredAnswers(db, attempt)
  const storedAnswer = storedAnswers.find((stored) => stored.questionId === questionId)
  if (!storedAnswer) {
    throw new Error('The question has no stored answer.')
  }

  return storedAnswer
}

type StoredAnswer = {
  questionId: string
  answer: LearnerAnswer
  revision: number
  answeredAt: Date
}

/** Returns the stored answers of an attempt, in any order. */
export async function findStoredAnswers(
  db: Pick<Database, 'select'>,
  { uid, id }: { uid: string; id: string },
): Promise<StoredAnswer[]> {
  const rows = await db
    .select({
      questionId: examAnswers.questionId,
      // The driver would parse JSON a second time and turn the typed answer '5' into a number.
      json: sql<string | null>`${examAnswers.answer}::text`,
      revision: examAnswers.revision,
      answeredAt: examAnswers.answeredAt,
    })
    .from(examAnswers)
    .where(and(eq(examAnswers.uid, uid), eq(examAnswers.attemptId, id)))

  return rows.map(({ json, ...row }) => ({
    ...row,
    answer: json === null ? null : JSON.parse(json),
  }))
}

/** Returns the answers of an attempt by the IDs of its questions. */
export async function findAnswersByQuestionId(
  db: Pick<Database, 'select'>,
  attempt: { uid: string; id: string },
): Promise<Map<string, LearnerAnswer>> {
  const storedAnswers = await findStoredAnswers(db, attempt)
  return new Map(storedAnswers.map(({ questionId, answer }) => [questionId, answer]))
}

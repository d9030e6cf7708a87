import { and, eq, sql } from 'drizzle-orm'
import * as z from 'zod'
import { displayQuestion } from '~/features/courses/questions/drawn-question.server'
import type { LearnerAnswer } from '~/features/courses/questions/question-kind'
import { readAnswer } from '~/features/courses/questions/question-kinds'
import type { Database } from '~/server/database/client.server'
import { examAnswers, examAttempts } from '~/server/database/schema'
import { graceMs } from './attempt-rules'

export type GivenAnswer = {
  uid: string
  attemptId: string
  /** Number of the question in the attempt, from 1. */
  question: number
  /** From outside, not checked yet. */
  value: unknown
  /** How long ago it was given: on a device without connection it waits. */
  ageMs?: number
  /**
   * One more than the latest that the browser knows of; left out, the answer is newer than whatever
   * is stored.
   */
  revision?: number
}

export type AnswerResult =
  /** `deadlineAt`: an ISO date-time, as it is now; maintenance may have moved it. */
  | { outcome: 'saved'; revision: number; answer: LearnerAnswer; deadlineAt: string | null }
  /** Another tab or device was first, with this answer, this long ago. */
  | { outcome: 'stale'; revision: number; answer: LearnerAnswer; ageMs: number }
  /** Submitted, or time ran out. */
  | { outcome: 'closed' }
  | { outcome: 'unknown' }
  | { outcome: 'unreadable' }

export type StoredAnswer = {
  questionId: string
  answer: LearnerAnswer
  revision: number
  answeredAt: Date
}

const largestRevision = 1_000_000

/**
 * Stores an answer as soon as it is given. Repeating a request is harmless; an older revision that
 * arrives late changes nothing.
 */
export async function recordAnswer(
  db: Database,
  given: GivenAnswer,
  now: Date,
): Promise<AnswerResult> {
  const { uid, attemptId, value, revision, ageMs = 0 } = given
  if (
    revision !== undefined &&
    !(Number.isInteger(revision) && revision > 0 && revision <= largestRevision)
  ) {
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
  const drawn = attempt?.paper[given.question - 1]
  if (!attempt || !drawn) {
    return { outcome: 'unknown' }
  }

  const questionId = drawn.question.id
  const answer = readAnswer(displayQuestion(drawn), value)
  if (answer === undefined) {
    return { outcome: 'unreadable' }
  }

  const json = JSON.stringify(answer)
  const answeredAt = new Date(
    Math.max(now.getTime() - Math.max(ageMs, 0), attempt.startedAt.getTime()),
  ).toISOString()
  const { rows } = await db.execute<{ open: boolean; saved: number | null }>(sql`
    with open as (
      select uid, id from exam_attempts
      where uid = ${uid} and id = ${attemptId} and submitted_at is null
        and deadline_at + ${graceMs / 1000}::int * interval '1 second' >= ${now.toISOString()}::timestamptz
      for share
    ), stored as (
      select revision from exam_answers
      where uid = ${uid} and attempt_id = ${attemptId} and question_id = ${questionId}
    ), saved as (
      insert into exam_answers as a (uid, attempt_id, question_id, answer, revision, answered_at)
      select uid, id, ${questionId}::text, ${json}::text::jsonb,
        coalesce(${revision ?? null}::int, (select revision + 1 from stored), 1), ${answeredAt}::timestamptz
      from open
      on conflict (uid, attempt_id, question_id) do update
        set answer = excluded.answer, revision = excluded.revision, answered_at = excluded.answered_at
        where excluded.revision > a.revision
          or (excluded.revision = a.revision and excluded.answer is not distinct from a.answer)
      returning a.revision
    )
    select exists (select from open) as open, (select revision from saved) as saved`)
  const [row] = rows
  if (!row?.open) {
    return { outcome: 'closed' }
  }

  if (row.saved !== null) {
    return {
      outcome: 'saved',
      revision: row.saved,
      answer,
      deadlineAt: attempt.deadlineAt?.toISOString() ?? null,
    }
  }

  // Read after the refusal, because an answer may have been stored while this one waited.
  const stored = (await findStoredAnswers(db, { uid, id: attemptId })).find(
    (other) => other.questionId === questionId,
  )
  if (!stored) {
    throw new Error('An answer was refused as older, but there is no newer one.')
  }

  return {
    outcome: 'stale',
    revision: stored.revision,
    answer: stored.answer,
    ageMs: now.getTime() - stored.answeredAt.getTime(),
  }
}

/** @returns the answers of an attempt as they are stored. */
export async function findStoredAnswers(
  db: Pick<Database, 'select'>,
  { uid, id }: { uid: string; id: string },
): Promise<StoredAnswer[]> {
  const rows = await db
    .select({
      questionId: examAnswers.questionId,
      // As text: read as JSON twice, the typed answer '5' would come back as a number.
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

const answerRequest = z.strictObject({
  attemptId: z.string().min(1).max(64),
  question: z.int(),
  value: z.union([z.number(), z.array(z.number()).max(50), z.string().max(1000), z.null()]),
  revision: z.int(),
  ageMs: z.number().min(0),
})

const statuses: Record<AnswerResult['outcome'], number> = {
  saved: 200,
  stale: 409,
  closed: 410,
  unknown: 404,
  unreadable: 422,
}

/** Takes one answer from a browser. @returns whether it was stored, never whether it is right. */
export async function takeAnswer(db: Database, uid: string, body: unknown, now: Date) {
  const parsed = answerRequest.safeParse(body)
  if (!parsed.success) {
    return { status: 422, body: { outcome: 'unreadable' as const } }
  }

  const result = await recordAnswer(db, { uid, ...parsed.data }, now)

  return { status: statuses[result.outcome], body: result }
}

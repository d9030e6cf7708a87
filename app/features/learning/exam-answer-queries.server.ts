import { and, eq, sql } from 'drizzle-orm'
import type { Database } from '~/server/database/client.server'
import { examAnswers, examAttempts } from '~/server/database/schema'
import { readAnswer } from './exam-answer'
import { type ExamAnswer, shownQuestion } from './exam-question'
import { graceMs } from './exam-time'

export type GivenAnswer = {
  uid: string
  attemptId: string
  questionId: string
  /** From outside, not checked yet. */
  value: unknown
  /** Counts up with every change in the browser; left out, the answer is newer than whatever is stored. */
  revision?: number
}

export type AnswerResult =
  | { outcome: 'saved'; revision: number; answer: ExamAnswer }
  /** Another tab or device was there first, with this revision. */
  | { outcome: 'stale'; revision: number }
  /** Handed in, or the time is over. */
  | { outcome: 'closed' }
  | { outcome: 'unknown' }
  | { outcome: 'unreadable' }

const largestRevision = 1_000_000

/** Keeps an answer as it is given. Repeating a request is harmless; an older revision that arrives late changes nothing. */
export async function recordAnswer(db: Database, given: GivenAnswer, now: Date): Promise<AnswerResult> {
  const { uid, attemptId, questionId, value, revision } = given
  if (revision !== undefined && !(Number.isInteger(revision) && revision > 0 && revision <= largestRevision))
    return { outcome: 'unreadable' }
  const [attempt] = await db
    .select({ paper: examAttempts.paper })
    .from(examAttempts)
    .where(and(eq(examAttempts.uid, uid), eq(examAttempts.id, attemptId)))
  const drawn = attempt?.paper.find(({ question }) => question.id === questionId)
  if (!drawn) return { outcome: 'unknown' }
  const answer = readAnswer(shownQuestion(drawn), value)
  if (answer === undefined) return { outcome: 'unreadable' }

  const json = JSON.stringify(answer)
  const rows = await db.execute<{ open: boolean; saved: number | null; stored: number | null }>(sql`
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
        coalesce(${revision ?? null}::int, (select revision + 1 from stored), 1), ${now.toISOString()}::timestamptz
      from open
      on conflict (uid, attempt_id, question_id) do update
        set answer = excluded.answer, revision = excluded.revision, answered_at = excluded.answered_at
        where excluded.revision > a.revision
          or (excluded.revision = a.revision and excluded.answer is not distinct from a.answer)
      returning a.revision
    )
    select exists (select from open) as open, (select revision from saved) as saved,
      (select revision from stored) as stored`)
  const [row] = rows
  if (!row?.open) return { outcome: 'closed' }
  if (row.saved !== null) return { outcome: 'saved', revision: row.saved, answer }
  return { outcome: 'stale', revision: row.stored ?? (await findRevision(db, given)) }
}

/** For an answer that was stored while this one waited. */
async function findRevision(db: Database, { uid, attemptId, questionId }: GivenAnswer): Promise<number> {
  const [row] = await db
    .select({ revision: examAnswers.revision })
    .from(examAnswers)
    .where(and(eq(examAnswers.uid, uid), eq(examAnswers.attemptId, attemptId), eq(examAnswers.questionId, questionId)))
  return row?.revision ?? 0
}

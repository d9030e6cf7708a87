import { and, eq } from 'drizzle-orm'
import { recordActivity } from '~/features/progress/activity-queries.server'
import type { FollowUp } from '~/features/progress/course-work.server'
import type { Transaction } from '~/features/progress/course-work-lock.server'
import type { Database } from '~/server/database/client.server'
import { courses, examAttempts } from '~/server/database/schema'
import { findStoredAnswers } from './exam-answer-queries.server'
import { answersByQuestion, isPassed, judgePaper } from './exam-judge'
import { examActivity } from './exam-messages'
import { isOver } from './exam-time'
import { scorePercent } from './grade'
import { recordMissedExamQuestions } from './missed-exam-questions.server'

export type Attempt = typeof examAttempts.$inferSelect

/** What an attempt came to with the answers that it has, if it ends now or ended with its time. */
async function resultOf(db: Pick<Database, 'select'>, attempt: Attempt, now: Date) {
  const answers = await findStoredAnswers(db, attempt)
  const timedOut = attempt.deadlineAt !== null && now >= attempt.deadlineAt
  const submittedAt = (timedOut && attempt.deadlineAt) || now
  return { ...judgePaper(attempt.paper, answersByQuestion(answers)), submittedAt, timedOut }
}

/** An attempt whose time is over counts as handed in with the answers that it has; the sweep stores that. */
async function asItStands(db: Pick<Database, 'select'>, attempt: Attempt, now: Date): Promise<Attempt> {
  if (attempt.submittedAt !== null || !isOver(attempt, now)) return attempt
  return { ...attempt, ...(await resultOf(db, attempt, now)) }
}

export async function findAttempt(
  db: Pick<Database, 'select'>,
  uid: string,
  id: string,
  now: Date,
): Promise<Attempt | null> {
  const [attempt] = await db
    .select()
    .from(examAttempts)
    .where(and(eq(examAttempts.uid, uid), eq(examAttempts.id, id)))
  return attempt ? asItStands(db, attempt, now) : null
}

/** Judges an open attempt, and tells it. The caller holds the lock of the learner's course work. */
export async function finishAttempt(
  transaction: Transaction,
  attempt: Attempt,
  followUp: FollowUp,
  now: Date,
): Promise<void> {
  const { uid, id, courseId, passPercent } = attempt
  const result = await resultOf(transaction, attempt, now)
  await transaction
    .update(examAttempts)
    .set(result)
    .where(and(eq(examAttempts.uid, uid), eq(examAttempts.id, id)))
  const [course] = await transaction.select({ title: courses.title }).from(courses).where(eq(courses.id, courseId))
  const passed = isPassed(result, passPercent)
  await recordActivity(transaction, uid, {
    id: `exam:${id}`,
    type: 'quiz',
    text: examActivity(passed, course?.title ?? attempt.title, scorePercent(result)),
    at: result.submittedAt,
  })
  await recordMissedExamQuestions(transaction, { uid, courseId })
  await followUp(transaction, { uid, courseId }, result.submittedAt)
}

import { and, eq, sql } from 'drizzle-orm'
import { courses, examAnswers, examAttempts } from '~/server/database/schema'
import { grantDueAchievements } from './achievement-queries.server'
import { recordActivity } from './activity-queries.server'
import { issueCertificateIfDue } from './certificate-issuing.server'
import type { Transaction } from './course-work-lock.server'
import { isPassed, judgePaper } from './exam-judge'
import type { ExamAnswer } from './exam-question'
import { isOver } from './exam-time'
import { scorePercent } from './grade'

type Attempt = typeof examAttempts.$inferSelect

/**
 * Judges an open attempt and writes all that follows from it: the result, the activity, achievements and the
 * certificate. The caller holds the lock of the learner's course work.
 */
export async function finishAttempt(transaction: Transaction, attempt: Attempt, now: Date): Promise<void> {
  const { uid, id, courseId, paper, passPercent } = attempt
  const result = judgePaper(paper, await findAnswers(transaction, attempt))
  const timedOut = isOver(attempt, now)
  const submittedAt = timedOut && attempt.deadlineAt ? attempt.deadlineAt : now
  await transaction
    .update(examAttempts)
    .set({ ...result, submittedAt, timedOut })
    .where(and(eq(examAttempts.uid, uid), eq(examAttempts.id, id)))
  const [course] = await transaction.select({ title: courses.title }).from(courses).where(eq(courses.id, courseId))
  const passed = isPassed(result, passPercent)
  await recordActivity(transaction, uid, {
    id: `exam:${id}`,
    type: 'quiz',
    text: `${passed ? 'Passed' : 'Took'} the exam of ${course?.title ?? attempt.title} with ${scorePercent(result)}%`,
    at: submittedAt,
  })
  await grantDueAchievements(transaction, uid, submittedAt)
  if (passed) await issueCertificateIfDue(transaction, uid, courseId, submittedAt)
}

/** @returns the stored answers of an attempt by question. */
export async function findAnswers(
  db: Pick<Transaction, 'select'>,
  { uid, id }: { uid: string; id: string },
): Promise<Map<string, ExamAnswer>> {
  const rows = await db
    // As text: read as JSON twice, the typed answer '5' would come back as a number.
    .select({ questionId: examAnswers.questionId, json: sql<string | null>`${examAnswers.answer}::text` })
    .from(examAnswers)
    .where(and(eq(examAnswers.uid, uid), eq(examAnswers.attemptId, id)))
  return new Map(rows.map(({ questionId, json }) => [questionId, json === null ? null : JSON.parse(json)]))
}

import { and, eq } from 'drizzle-orm'
import { courses, examAttempts } from '~/server/database/schema'
import { recordActivity } from '../course-work/activity-queries.server'
import type { FollowUp } from '../course-work/course-work'
import type { Transaction } from '../course-work/course-work-lock.server'
import { findStoredAnswers } from './exam-answer-queries.server'
import { answersByQuestion, isPassed, judgePaper } from './exam-judge'
import { scorePercent } from './grade'

type Attempt = typeof examAttempts.$inferSelect

/** Judges an open attempt, and tells it. The caller holds the lock of the learner's course work. */
export async function finishAttempt(
  transaction: Transaction,
  attempt: Attempt,
  followUp: FollowUp,
  now: Date,
): Promise<void> {
  const { uid, id, courseId, paper, passPercent } = attempt
  const answers = await findStoredAnswers(transaction, attempt)
  const result = judgePaper(paper, answersByQuestion(answers))
  const timedOut = attempt.deadlineAt !== null && now >= attempt.deadlineAt
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
  await followUp(transaction, { uid, courseId }, submittedAt)
}

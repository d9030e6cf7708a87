import { and, desc, eq, isNotNull, sql } from 'drizzle-orm'
import { isAnswerCorrect } from '~/features/courses/questions/drawn-question.server'
import { recordMissedQuestions } from '~/features/learning/progress/missed-question-queries.server'
import { examQuestionId } from '~/features/learning/progress/question-id.server'
import type { Transaction } from '~/server/database/client.server'
import { examAttempts, users } from '~/server/database/schema'
import { findAnswersByQuestionId } from './answer-queries.server'

/**
 * Only the latest attempts are searched for mistakes. Older mistakes are usually corrected by then.
 */
const maxSearchedAttempts = 10

/**
 * Adds the learner's wrong exam answers to practice once the exam is passed. Before that, practice
 * would give answers away. The function is idempotent.
 */
export async function recordMissedExamQuestions(
  tx: Transaction,
  { uid, courseId }: { uid: string; courseId: string },
): Promise<void> {
  const isOwnAttempt = and(eq(examAttempts.uid, uid), eq(examAttempts.courseId, courseId))
  const passedAttempts = tx
    .select()
    .from(examAttempts)
    .where(and(isOwnAttempt, examAttempts.passed))
  const [passedLearner] = await tx
    .select({ timeZone: users.displayTimezone })
    .from(users)
    .where(and(eq(users.id, uid), sql`exists (${passedAttempts})`))
  if (!passedLearner) {
    return
  }

  const attempts = await tx
    .select()
    .from(examAttempts)
    .where(and(isOwnAttempt, isNotNull(examAttempts.submittedAt)))
    .orderBy(desc(examAttempts.submittedAt))
    .limit(maxSearchedAttempts)

  const missedByAttempt = []
  for (const attempt of attempts) {
    missedByAttempt.push(await listMissedQuestions(tx, attempt))
  }

  const exam = { uid, courseId, lessonId: null }
  await recordMissedQuestions(tx, exam, missedByAttempt.flat(), passedLearner.timeZone)
}

/** Returns the questions of a submitted attempt that were not answered correctly. */
async function listMissedQuestions(tx: Transaction, attempt: typeof examAttempts.$inferSelect) {
  const answers = await findAnswersByQuestionId(tx, attempt)
  const missedAt = attempt.submittedAt ?? attempt.startedAt

  return attempt.paper
    .filter((drawn) => !isAnswerCorrect(drawn, answers.get(drawn.question.id) ?? null))
    .map(({ question }) => ({ questionId: examQuestionId(question.id), missedAt }))
}

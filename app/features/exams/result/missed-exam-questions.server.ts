import { and, desc, eq, isNotNull, sql } from 'drizzle-orm'
import { isAnswerCorrect } from '~/features/courses/questions/drawn-question.server'
import { recordMissedQuestions } from '~/features/learning/progress/missed-question-queries.server'
import { examQuestionId } from '~/features/learning/progress/question-id.server'
import type { Transaction } from '~/server/database/client.server'
import { examAttempts, users } from '~/server/database/schema'
import { findAnswersByQuestionId } from '../attempt/answer-queries.server'

/** The number of latest attempts to look at: older mistakes are usually corrected by then. */
const attemptsSeen = 10

/**
 * Adds the learner's wrong exam answers to practice, once the exam is passed: before that, practice
 * would give answers away. Idempotent.
 */
export async function recordMissedExamQuestions(
  transaction: Transaction,
  { uid, courseId }: { uid: string; courseId: string },
): Promise<void> {
  const mine = and(eq(examAttempts.uid, uid), eq(examAttempts.courseId, courseId))
  const [passed] = await transaction
    .select({ timeZone: users.displayTimezone })
    .from(users)
    .where(
      and(
        eq(users.id, uid),
        sql`exists (${transaction.select().from(examAttempts).where(and(mine, examAttempts.passed))})`,
      ),
    )

  if (!passed) {
    return
  }

  const attempts = await transaction
    .select()
    .from(examAttempts)
    .where(and(mine, isNotNull(examAttempts.submittedAt)))
    .orderBy(desc(examAttempts.submittedAt))
    .limit(attemptsSeen)
  const missed = []
  for (const attempt of attempts) {
    const answers = await findAnswersByQuestionId(transaction, attempt)
    const wrong = attempt.paper.filter(
      (drawn) => !isAnswerCorrect(drawn, answers.get(drawn.question.id) ?? null),
    )
    const missedAt = attempt.submittedAt ?? attempt.startedAt
    missed.push(
      ...wrong.map(({ question }) => ({ questionId: examQuestionId(question.id), missedAt })),
    )
  }

  await recordMissedQuestions(
    transaction,
    { uid, courseId, lessonId: null },
    missed,
    passed.timeZone,
  )
}

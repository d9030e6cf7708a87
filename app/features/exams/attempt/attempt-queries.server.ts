/**
 * Starts and submits attempts of exams.
 *
 * Every change holds the lock of the learner's progress in the course, so that requests for the
 * same course run one after the other. A request that is sent twice has the effect of one.
 */
import { randomInt } from 'node:crypto'
import { and, desc, eq, isNotNull, isNull, lt, sql } from 'drizzle-orm'
import {
  drawQuestions,
  type RandomBelow,
  scoreAnswers,
} from '~/features/courses/questions/drawn-question.server'
import { lockCourseProgress } from '~/features/enrollment/learner-locks.server'
import { recordActivity } from '~/features/learning/progress/activity-queries.server'
import type {
  GrantDueRewards,
  LearningContext,
} from '~/features/learning/progress/course-completion.server'
import type { Database, Transaction } from '~/server/database/client.server'
import { randomId } from '~/server/database/random-id.server'
import { courses, enrollments, examAttempts, exams, users } from '~/server/database/schema'
import { forEachSettled } from '~/server/operations/for-each-settled.server'
import { countEvent } from '~/server/operations/metrics/counters.server'
import { formatExamActivity } from '../exam-messages'
import { getScorePercent, isPassed } from '../grade'
import { findAnswersByQuestionId } from './answer-queries.server'
import { answerGraceMs, computeAttemptAllowance, isOverdue } from './attempt-rules'
import { recordMissedExamQuestions } from './missed-exam-questions.server'

type Attempt = typeof examAttempts.$inferSelect

type StartResult =
  | { refusal: 'not-enrolled' | 'no-exam' | 'address-unconfirmed' | 'no-attempts-left' | 'pause' }
  | { refusal: null; attemptId: string; isNewAttempt: boolean }

/**
 * Starts an attempt or continues the one in progress, because a learner has at most one open
 * attempt of an exam. Starting fixes the questions, their order and the deadline.
 *
 * A start requires a confirmed email address. Otherwise one person could use several accounts to
 * find out the answers.
 */
export async function startAttempt(
  { db, grantDueRewards }: LearningContext,
  { uid, courseId }: { uid: string; courseId: string },
  now: Date,
  randomBelow: RandomBelow = randomInt,
): Promise<StartResult> {
  const isOwnAttempt = and(eq(examAttempts.uid, uid), eq(examAttempts.courseId, courseId))

  const result = await db.transaction(async (tx): Promise<StartResult> => {
    await lockCourseProgress(tx, uid, courseId)

    const [learner] = await tx
      .select({ emailVerified: users.emailVerified })
      .from(enrollments)
      .innerJoin(users, eq(users.id, enrollments.uid))
      .where(and(eq(enrollments.uid, uid), eq(enrollments.courseId, courseId)))
    if (!learner) {
      return { refusal: 'not-enrolled' }
    }

    const [exam] = await tx.select().from(exams).where(eq(exams.courseId, courseId))
    if (!exam) {
      return { refusal: 'no-exam' }
    }

    const [openAttempt] = await tx
      .select()
      .from(examAttempts)
      .where(and(isOwnAttempt, isNull(examAttempts.submittedAt)))
    if (openAttempt && !isOverdue(openAttempt, now)) {
      return { refusal: null, attemptId: openAttempt.id, isNewAttempt: false }
    }

    if (openAttempt) {
      await finishAttempt(tx, openAttempt, grantDueRewards, now)
    }

    if (!learner.emailVerified) {
      return { refusal: 'address-unconfirmed' }
    }

    const { remaining, nextStartAt } = await findAttemptAllowance(tx, uid, exam, now)
    if (remaining === 0) {
      return { refusal: 'no-attempts-left' }
    }

    if (nextStartAt) {
      return { refusal: 'pause' }
    }

    const attemptId = await insertAttempt(tx, uid, exam, { now, randomBelow })
    return { refusal: null, attemptId, isNewAttempt: true }
  })

  if (result.refusal === null && result.isNewAttempt) {
    countEvent('examAttempts')
  }

  return result
}

type Exam = typeof exams.$inferSelect

/** Returns how many attempts the learner has left, and when the next one may start. */
async function findAttemptAllowance(tx: Transaction, uid: string, exam: Exam, now: Date) {
  const countedAttempts = await tx
    .select({ startedAt: examAttempts.startedAt, submittedAt: examAttempts.submittedAt })
    .from(examAttempts)
    .where(
      and(
        eq(examAttempts.uid, uid),
        eq(examAttempts.courseId, exam.courseId),
        isNull(examAttempts.excusedAt),
      ),
    )
    .orderBy(desc(examAttempts.startedAt))
    .limit(exam.maxAttempts)

  return computeAttemptAllowance(exam, countedAttempts, now)
}

/** Stores a new attempt with its questions and deadline. Returns its id. */
async function insertAttempt(
  tx: Transaction,
  uid: string,
  exam: Exam,
  { now, randomBelow }: { now: Date; randomBelow: RandomBelow },
): Promise<string> {
  const attemptId = randomId()
  const paper = drawQuestions(exam.questions, exam.draw, randomBelow)

  await tx.insert(examAttempts).values({
    uid,
    id: attemptId,
    courseId: exam.courseId,
    title: exam.title,
    paper: paper.map(({ question, order }) => ({ question, order: [...order] })),
    passPercent: exam.passPercent,
    startedAt: now,
    deadlineAt: new Date(now.getTime() + exam.timeLimitMinutes * 60_000),
    maxScore: paper.length,
  })

  return attemptId
}

/**
 * Gives a learner all submitted attempts of an exam back. They no longer count toward the limit,
 * and the learner does not have to wait for the next one. Their results stay.
 *
 * @returns the number of attempts that were given back
 */
export async function excuseAttempts(
  tx: Transaction,
  uid: string,
  courseId: string,
  now: Date,
): Promise<number> {
  await lockCourseProgress(tx, uid, courseId)

  const excusedAttempts = await tx
    .update(examAttempts)
    .set({ excusedAt: now })
    .where(
      and(
        eq(examAttempts.uid, uid),
        eq(examAttempts.courseId, courseId),
        isNotNull(examAttempts.submittedAt),
        isNull(examAttempts.excusedAt),
      ),
    )
    .returning({ id: examAttempts.id })

  return excusedAttempts.length
}

type Submission = {
  uid: string
  attemptId: string
  /** Set by a browser whose clock says that the time has run out. The server's clock decides. */
  onlyIfTimeIsUp?: boolean
}

/** Submits an attempt. An attempt that is submitted already stays as it is. */
export function submitAttempt(
  { db, grantDueRewards }: LearningContext,
  { uid, attemptId, onlyIfTimeIsUp = false }: Submission,
  now: Date,
): Promise<'submitted' | 'too-early' | 'unknown'> {
  const isThisAttempt = and(eq(examAttempts.uid, uid), eq(examAttempts.id, attemptId))

  return db.transaction(async (tx) => {
    const [existingAttempt] = await tx
      .select({ courseId: examAttempts.courseId })
      .from(examAttempts)
      .where(isThisAttempt)
    if (!existingAttempt) {
      return 'unknown'
    }

    await lockCourseProgress(tx, uid, existingAttempt.courseId)
    const [openAttempt] = await tx
      .select()
      .from(examAttempts)
      .where(and(isThisAttempt, isNull(examAttempts.submittedAt)))
      .for('update')
    if (!openAttempt) {
      return 'submitted'
    }

    if (onlyIfTimeIsUp && openAttempt.deadlineAt && now < openAttempt.deadlineAt) {
      return 'too-early'
    }

    await finishAttempt(tx, openAttempt, grantDueRewards, now)
    return 'submitted'
  })
}

/**
 * Submits up to a hundred attempts whose time has run out. Several processes may run this at once.
 * It does nothing during maintenance, because the end of maintenance extends running attempts
 * (`resumeExams`). The order is random, so that attempts that can't be submitted don't hold up the
 * others.
 *
 * @returns the number of attempts
 */
export async function submitOverdueAttempts(context: LearningContext, now: Date): Promise<number> {
  const overdueAttempts = await context.db
    .select({ uid: examAttempts.uid, attemptId: examAttempts.id })
    .from(examAttempts)
    .where(
      and(
        isNull(examAttempts.submittedAt),
        lt(examAttempts.deadlineAt, new Date(now.getTime() - answerGraceMs)),
        sql`not exists (select from product_state where maintenance is not null)`,
      ),
    )
    .orderBy(sql`random()`)
    .limit(100)

  await forEachSettled(overdueAttempts, (attempt) => submitAttempt(context, attempt, now))
  return overdueAttempts.length
}

/**
 * Returns a learner's attempt. An attempt whose time has run out is returned as submitted with its
 * current answers, even if the background job has not stored that yet.
 */
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
  if (!attempt) {
    return null
  }

  if (attempt.submittedAt !== null || !isOverdue(attempt, now)) {
    return attempt
  }

  return { ...attempt, ...(await gradeAttempt(db, attempt, now)) }
}

/**
 * Grades an open attempt, stores the result and everything that follows from it. The caller holds
 * the lock of the learner's progress in the course.
 */
async function finishAttempt(
  tx: Transaction,
  attempt: Attempt,
  grantDueRewards: GrantDueRewards,
  now: Date,
): Promise<void> {
  const { uid, id, courseId, passPercent } = attempt
  const result = await gradeAttempt(tx, attempt, now)

  await tx
    .update(examAttempts)
    .set(result)
    .where(and(eq(examAttempts.uid, uid), eq(examAttempts.id, id)))

  const [course] = await tx
    .select({ title: courses.title })
    .from(courses)
    .where(eq(courses.id, courseId))
  const title = course?.title ?? attempt.title
  await recordActivity(tx, uid, {
    id: `exam:${id}`,
    type: 'quiz',
    text: formatExamActivity(isPassed(result, passPercent), title, getScorePercent(result)),
    at: result.submittedAt,
  })

  await recordMissedExamQuestions(tx, { uid, courseId })
  await grantDueRewards(tx, { uid, courseId }, result.submittedAt)
}

/** Grades the stored answers of an attempt that ends now, or that ended at its deadline. */
async function gradeAttempt(db: Pick<Database, 'select'>, attempt: Attempt, now: Date) {
  const answers = await findAnswersByQuestionId(db, attempt)
  const timedOut = attempt.deadlineAt !== null && now >= attempt.deadlineAt
  const submittedAt = (timedOut && attempt.deadlineAt) || now

  return { ...scoreAnswers(attempt.paper, answers), submittedAt, timedOut }
}

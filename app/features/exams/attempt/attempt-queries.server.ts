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
  FollowUp,
  LearningContext,
} from '~/features/learning/progress/course-completion.server'
import type { Database, Transaction } from '~/server/database/client.server'
import { randomId } from '~/server/database/random-id.server'
import { courses, enrollments, examAttempts, exams, users } from '~/server/database/schema'
import { forEachSettled } from '~/server/operations/for-each-settled.server'
import { countEvent } from '~/server/operations/metrics/counters.server'
import { examActivity } from '../exam-messages'
import { getScorePercent, isPassed } from '../grade'
import { recordMissedExamQuestions } from '../result/missed-exam-questions.server'
import { findAnswersByQuestionId } from './answer-queries.server'
import { attemptAllowance, graceMs, isOver } from './attempt-rules'

export type StartResult =
  | { refusal: 'not-enrolled' | 'no-exam' | 'address-unconfirmed' | 'no-attempts-left' | 'pause' }
  | { refusal: null; attemptId: string; startedNow: boolean }

/**
 * Starts an attempt, or continues the one in progress: a learner has one open attempt of an exam at
 * a time, however many requests ask. The questions, their order and the deadline are fixed here.
 * Only accounts with a confirmed address may start: otherwise several accounts of one person could
 * find out the answers together.
 */
export async function startAttempt(
  { db, followUp }: LearningContext,
  { uid, courseId }: { uid: string; courseId: string },
  now: Date,
  randomBelow: RandomBelow = randomInt,
): Promise<StartResult> {
  const result = await db.transaction(async (transaction): Promise<StartResult> => {
    await lockCourseProgress(transaction, uid, courseId)
    const mine = and(eq(examAttempts.uid, uid), eq(examAttempts.courseId, courseId))
    const [enrolled] = await transaction
      .select({ emailVerified: users.emailVerified })
      .from(enrollments)
      .innerJoin(users, eq(users.id, enrollments.uid))
      .where(and(eq(enrollments.uid, uid), eq(enrollments.courseId, courseId)))

    if (!enrolled) {
      return { refusal: 'not-enrolled' }
    }

    const [exam] = await transaction.select().from(exams).where(eq(exams.courseId, courseId))
    if (!exam) {
      return { refusal: 'no-exam' }
    }

    const [open] = await transaction
      .select()
      .from(examAttempts)
      .where(and(mine, isNull(examAttempts.submittedAt)))
    if (open && !isOver(open, now)) {
      return { refusal: null, attemptId: open.id, startedNow: false }
    }

    if (open) {
      await finishAttempt(transaction, open, followUp, now)
    }

    if (!enrolled.emailVerified) {
      return { refusal: 'address-unconfirmed' }
    }

    const taken = await transaction
      .select({ startedAt: examAttempts.startedAt, submittedAt: examAttempts.submittedAt })
      .from(examAttempts)
      .where(and(mine, isNull(examAttempts.excusedAt)))
      .orderBy(desc(examAttempts.startedAt))
      .limit(exam.maxAttempts)
    const { left, nextAt } = attemptAllowance(exam, taken, now)
    if (left === 0) {
      return { refusal: 'no-attempts-left' }
    }

    if (nextAt) {
      return { refusal: 'pause' }
    }

    const paper = drawQuestions(exam.questions, exam.draw, randomBelow)
    const attemptId = randomId()
    await transaction.insert(examAttempts).values({
      uid,
      id: attemptId,
      courseId,
      title: exam.title,
      paper: paper.map(({ question, order }) => ({ question, order: [...order] })),
      passPercent: exam.passPercent,
      startedAt: now,
      deadlineAt: new Date(now.getTime() + exam.timeLimitMinutes * 60_000),
      maxScore: paper.length,
    })

    return { refusal: null, attemptId, startedNow: true }
  })

  if (result.refusal === null && result.startedNow) {
    countEvent('examAttempts')
  }

  return result
}

/**
 * Gives a learner every attempt back that was handed in: none counts toward the limit any more, and
 * no pause follows from it. Results stay.
 *
 * @returns how many it gave back.
 */
export async function excuseAttempts(
  transaction: Transaction,
  uid: string,
  courseId: string,
  now: Date,
): Promise<number> {
  await lockCourseProgress(transaction, uid, courseId)
  const excused = await transaction
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

  return excused.length
}

type HandIn = {
  uid: string
  attemptId: string
  /** A browser whose clock says that the time is over: the server's clock decides. */
  onlyIfOver?: boolean
}

/**
 * Hands an attempt in, once: the same request again, or the server at the end of the time, finds it
 * done.
 */
export function handInAttempt(
  { db, followUp }: LearningContext,
  { uid, attemptId, onlyIfOver = false }: HandIn,
  now: Date,
): Promise<'handed-in' | 'too-early' | 'unknown'> {
  return db.transaction(async (transaction) => {
    const one = and(eq(examAttempts.uid, uid), eq(examAttempts.id, attemptId))
    const [found] = await transaction
      .select({ courseId: examAttempts.courseId })
      .from(examAttempts)
      .where(one)
    if (!found) {
      return 'unknown'
    }

    await lockCourseProgress(transaction, uid, found.courseId)
    const [attempt] = await transaction
      .select()
      .from(examAttempts)
      .where(and(one, isNull(examAttempts.submittedAt)))
      .for('update')

    if (attempt?.deadlineAt && onlyIfOver && now < attempt.deadlineAt) {
      return 'too-early'
    }

    if (attempt) {
      await finishAttempt(transaction, attempt, followUp, now)
    }

    return 'handed-in'
  })
}

/**
 * Hands in attempts whose time is over, a hundred at a time, and none during maintenance, whose end
 * gives time back (`resumeExams`). Several processes may do this at once.
 *
 * @returns how many.
 */
export async function handInOverdueAttempts(work: LearningContext, now: Date): Promise<number> {
  const overdue = await work.db
    .select({ uid: examAttempts.uid, attemptId: examAttempts.id })
    .from(examAttempts)
    .where(
      and(
        isNull(examAttempts.submittedAt),
        lt(examAttempts.deadlineAt, new Date(now.getTime() - graceMs)),
        sql`not exists (select from product_state where maintenance is not null)`,
      ),
    )
    .orderBy(examAttempts.deadlineAt)
    .limit(100)

  await forEachSettled(overdue, (attempt) => handInAttempt(work, attempt, now))
  return overdue.length
}

export type Attempt = typeof examAttempts.$inferSelect

/** The result of an attempt with its current answers, if it ends now or ended with its time. */
async function resultOf(db: Pick<Database, 'select'>, attempt: Attempt, now: Date) {
  const answers = await findAnswersByQuestionId(db, attempt)
  const timedOut = attempt.deadlineAt !== null && now >= attempt.deadlineAt
  const submittedAt = (timedOut && attempt.deadlineAt) || now

  return { ...scoreAnswers(attempt.paper, answers), submittedAt, timedOut }
}

/**
 * An attempt whose time is over counts as handed in with the answers that it has; the sweep stores
 * that.
 */
async function withTimeOver(
  db: Pick<Database, 'select'>,
  attempt: Attempt,
  now: Date,
): Promise<Attempt> {
  if (attempt.submittedAt !== null || !isOver(attempt, now)) {
    return attempt
  }

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
  return attempt ? withTimeOver(db, attempt, now) : null
}

/**
 * Judges an open attempt and records the activity. The caller holds the lock of the learner's
 * course work.
 */
async function finishAttempt(
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
  const [course] = await transaction
    .select({ title: courses.title })
    .from(courses)
    .where(eq(courses.id, courseId))
  const passed = isPassed(result, passPercent)
  await recordActivity(transaction, uid, {
    id: `exam:${id}`,
    type: 'quiz',
    text: examActivity(passed, course?.title ?? attempt.title, getScorePercent(result)),
    at: result.submittedAt,
  })

  await recordMissedExamQuestions(transaction, { uid, courseId })
  await followUp(transaction, { uid, courseId }, result.submittedAt)
}

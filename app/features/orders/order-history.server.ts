/**
 * What is recorded about an order, and about how the learner used the course. Staff look at both
 * when somebody asks for money back.
 */
import { and, asc, desc, eq, getTableColumns, gte, isNotNull, or, sql } from 'drizzle-orm'
import { getLastOpenedAt } from '~/features/enrollment/enrollment-queries.server'
import type { Database } from '~/server/database/client.server'
import {
  activities,
  certificates,
  countingLessons,
  courseLessons,
  enrollments,
  examAttempts,
  gifts,
  lessonProgress,
  paymentEvents,
  payments,
  receipts,
  refundRequests,
  refunds,
  securityEvents,
} from '~/server/database/schema'
import { findOrderLearner } from './order-fulfillment.server'
import { findOrder, type Order } from './order-record.server'

export type OrderHistory = NonNullable<Awaited<ReturnType<typeof findOrderHistory>>>

/** Returns an order with everything that happened to it, or null if there is no such order. */
export async function findOrderHistory(db: Database, orderId: string) {
  const order = await findOrder(db, orderId)
  if (order === null) {
    return null
  }

  // Anybody who knows the code of a gift can redeem it, so the code is left out.
  const { code: _, ...giftColumns } = getTableColumns(gifts)
  const [gift = null] = await db.select(giftColumns).from(gifts).where(eq(gifts.orderId, orderId))

  const orderPayments = await db
    .select()
    .from(payments)
    .where(eq(payments.orderId, orderId))
    .orderBy(payments.attempt)
  const orderRefunds = await db
    .select()
    .from(refunds)
    .where(eq(refunds.orderId, orderId))
    .orderBy(refunds.createdAt)
  const orderReceipts = await db
    .select()
    .from(receipts)
    .where(eq(receipts.orderId, orderId))
    .orderBy(receipts.number)
  const orderEvents = await db
    .select()
    .from(paymentEvents)
    .where(eq(paymentEvents.orderId, orderId))
    .orderBy(paymentEvents.receivedAt)
  const orderRefundRequests = await db
    .select()
    .from(refundRequests)
    .where(eq(refundRequests.orderId, orderId))
    .orderBy(refundRequests.requestedAt)

  return {
    order,
    gift,
    payments: orderPayments,
    refunds: orderRefunds,
    receipts: orderReceipts,
    paymentEvents: orderEvents,
    refundRequests: orderRefundRequests,
  }
}

/** The newest sign-ins are enough to show that the learner used the account after the order. */
const maxSignIns = 100

/**
 * Returns what the learner has done with the course that an order bought. The school sends it to a
 * bank that disputes the payment.
 *
 * @returns null for a deleted account, and for a gift that isn't redeemed yet
 */
export async function gatherDisputeEvidence(db: Database, order: Order) {
  const { courseId } = order
  const uid = await findOrderLearner(db, order)
  if (uid === null) {
    return null
  }

  const [enrolledAt, lastOpenedAt, lessons, exams, certificate, signIns] = await Promise.all([
    findFirstEnrollment(db, uid, courseId),
    findLastOpenedAt(db, uid, courseId),
    listLessons(db, uid, courseId),
    listExamAttempts(db, uid, courseId),
    findCertificate(db, uid, courseId),
    listSignIns(db, uid, order.createdAt),
  ])

  const lessonTimes = lessons.map(({ lastUsedAt }) => lastUsedAt)

  return {
    enrolledAt,
    // A dispute removes the enrollment, and with it the time of the last visit. The times of the
    // lessons stay.
    lastOpenedAt: getLatest([lastOpenedAt, ...lessonTimes]),
    lessons,
    exams,
    certificate,
    signIns,
  }
}

/** Returns when the learner was first enrolled. This stays known after the access has ended. */
async function findFirstEnrollment(
  db: Database,
  uid: string,
  courseId: string,
): Promise<Date | null> {
  const [activity] = await db
    .select({ at: activities.at })
    .from(activities)
    .where(and(eq(activities.uid, uid), eq(activities.id, `enrollment:${courseId}`)))

  return activity?.at ?? null
}

async function findLastOpenedAt(db: Database, uid: string, courseId: string): Promise<Date | null> {
  const lastOpenedAt = getLastOpenedAt(sql`${enrollments}`).mapWith(enrollments.lastAccessedAt)
  const [enrollment] = await db
    .select({ lastOpenedAt })
    .from(enrollments)
    .where(and(eq(enrollments.uid, uid), eq(enrollments.courseId, courseId)))

  return enrollment?.lastOpenedAt ?? null
}

/**
 * Lists the lessons that the learner could do, with their progress. Planned lessons have no
 * material yet, and retired lessons are no longer in the curriculum, so they are listed only if
 * begun.
 */
async function listLessons(db: Database, uid: string, courseId: string) {
  const isSameLesson = and(
    eq(countingLessons.courseId, courseLessons.courseId),
    eq(countingLessons.id, courseLessons.id),
  )
  const isProgressInLesson = and(
    eq(lessonProgress.uid, uid),
    eq(lessonProgress.courseId, courseLessons.courseId),
    eq(lessonProgress.lessonId, courseLessons.id),
  )

  const lessons = await db
    .select({
      title: courseLessons.title,
      idWithProgress: lessonProgress.lessonId,
      done: lessonProgress.done,
      playedAt: lessonProgress.positionAt,
      earnedAt: lessonProgress.earnedAt,
      markedAt: lessonProgress.markedAt,
    })
    .from(courseLessons)
    .leftJoin(countingLessons, isSameLesson)
    .leftJoin(lessonProgress, isProgressInLesson)
    .where(
      and(
        eq(courseLessons.courseId, courseId),
        or(isNotNull(countingLessons.id), isNotNull(lessonProgress.lessonId)),
      ),
    )
    .orderBy(courseLessons.position)

  return lessons.map(({ title, idWithProgress, done, playedAt, earnedAt, markedAt }) => ({
    title,
    // A lesson has progress as soon as the learner has done anything in it.
    isBegun: idWithProgress !== null,
    isDone: done === true,
    lastUsedAt: getLatest([playedAt, earnedAt, markedAt]),
  }))
}

async function listExamAttempts(db: Database, uid: string, courseId: string) {
  return db
    .select({
      startedAt: examAttempts.startedAt,
      submittedAt: examAttempts.submittedAt,
      percent: examAttempts.percent,
      passed: examAttempts.passed,
    })
    .from(examAttempts)
    .where(and(eq(examAttempts.uid, uid), eq(examAttempts.courseId, courseId)))
    .orderBy(asc(examAttempts.startedAt))
}

async function findCertificate(db: Database, uid: string, courseId: string) {
  const [certificate] = await db
    .select({ id: certificates.id, issuedAt: certificates.issuedAt })
    .from(certificates)
    .where(and(eq(certificates.uid, uid), eq(certificates.courseId, courseId)))

  return certificate ?? null
}

async function listSignIns(db: Database, uid: string, since: Date) {
  return db
    .select({ at: securityEvents.at, way: securityEvents.way, device: securityEvents.device })
    .from(securityEvents)
    .where(
      and(
        eq(securityEvents.uid, uid),
        eq(securityEvents.kind, 'signed-in'),
        gte(securityEvents.at, since),
      ),
    )
    .orderBy(desc(securityEvents.at))
    .limit(maxSignIns)
}

function getLatest(times: readonly (Date | null)[]): Date | null {
  let latest: Date | null = null
  for (const time of times) {
    if (time !== null && (latest === null || time > latest)) {
      latest = time
    }
  }

  return latest
}

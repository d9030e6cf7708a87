import { and, asc, desc, eq, gte, or } from 'drizzle-orm'
import type { Database } from '~/server/database/client.server'
import {
  activities,
  certificates,
  courseLessons,
  enrollments,
  examAttempts,
  lessonProgress,
  securityEvents,
  users,
} from '~/server/database/schema'
import { findOrderLearner } from './order-fulfillment.server'
import type { Order } from './order-record.server'

const mostSignIns = 100

/**
 * What the learner did with the course that an order bought: for a bank that disputes the payment,
 * as far as it is stored.
 *
 * @returns null for a deleted account, and for a gift that isn't redeemed yet.
 */
export async function gatherDisputeEvidence(db: Database, order: Order) {
  const { courseId, createdAt } = order
  const uid = await findOrderLearner(db, order)
  if (!uid) {
    return null
  }

  type Work = typeof enrollments | typeof examAttempts | typeof certificates
  const ofCourse = (table: Work) => and(eq(table.uid, uid), eq(table.courseId, courseId))
  const enrolled = eq(activities.id, `enrollment:${courseId}`)
  const signedIn = and(eq(securityEvents.kind, 'signed-in'), gte(securityEvents.at, createdAt))
  const work = and(
    eq(lessonProgress.uid, uid),
    eq(lessonProgress.courseId, courseLessons.courseId),
    eq(lessonProgress.lessonId, courseLessons.id),
  )
  const [[account], [activity], [enrollment], lessons, exams, [certificate], signIns] =
    await Promise.all([
      db
        .select({ email: users.email, madeAt: users.createdAt })
        .from(users)
        .where(eq(users.id, uid)),
      // Stays when the access has ended.
      db
        .select({ at: activities.at })
        .from(activities)
        .where(and(eq(activities.uid, uid), enrolled)),
      db
        .select({ enrolledAt: enrollments.enrolledAt, lastOpenedAt: enrollments.lastAccessedAt })
        .from(enrollments)
        .where(ofCourse(enrollments)),
      db
        .select({
          title: courseLessons.title,
          done: lessonProgress.done,
          playedAt: lessonProgress.positionAt,
          earnedAt: lessonProgress.earnedAt,
          markedAt: lessonProgress.markedAt,
        })
        .from(courseLessons)
        .leftJoin(lessonProgress, work)
        .where(
          and(
            eq(courseLessons.courseId, courseId),
            or(eq(courseLessons.retired, false), lessonProgress.done),
          ),
        )
        .orderBy(courseLessons.position),
      db
        .select()
        .from(examAttempts)
        .where(ofCourse(examAttempts))
        .orderBy(asc(examAttempts.startedAt)),
      db
        .select({ id: certificates.id, issuedAt: certificates.issuedAt })
        .from(certificates)
        .where(ofCourse(certificates)),
      db
        .select({ at: securityEvents.at, way: securityEvents.way, device: securityEvents.device })
        .from(securityEvents)
        .where(and(eq(securityEvents.uid, uid), signedIn))
        .orderBy(desc(securityEvents.at))
        .limit(mostSignIns),
    ])
  const used = lessons.map(({ title, done, playedAt, earnedAt, markedAt }) => ({
    title,
    isDone: done === true,
    lastAt: latest([playedAt, earnedAt, markedAt]),
  }))
  // Both times are the same until the course is opened.
  const isOpened = enrollment && +enrollment.lastOpenedAt !== +enrollment.enrolledAt

  return {
    account: account ?? null,
    enrolledAt: activity?.at ?? null,
    // A dispute takes the enrollment away, and with it the time; the lessons keep theirs.
    lastOpenedAt: latest([
      isOpened ? enrollment.lastOpenedAt : null,
      ...used.map(({ lastAt }) => lastAt),
    ]),
    lessons: used,
    exams: exams.map(({ startedAt, submittedAt, percent, passed }) => ({
      startedAt,
      submittedAt,
      percent,
      passed,
    })),
    certificate: certificate ?? null,
    signIns,
  }
}

function latest(times: (Date | null)[]): Date | null {
  return times.reduce((last, time) => (time && (!last || time > last) ? time : last), null)
}

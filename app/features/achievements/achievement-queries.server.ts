import { and, eq, inArray, sql } from 'drizzle-orm'
import { recordActivity } from '~/features/learning/progress/activity-queries.server'
import { getLearnerStatistics } from '~/features/learning/progress/learner-statistics.server'
import { findReachedStreakStep } from '~/features/learning/progress/streak'
import { addDays, localDay } from '~/features/learning/progress/study-time'
import type { Database, Transaction } from '~/server/database/client.server'
import { achievements, activities } from '~/server/database/schema'
import {
  achievementDefinitions,
  type Celebration,
  consistentLearner,
  getAchievementStatistics,
  getMilestoneText,
  listReachedGoals,
} from './achievements'

/**
 * Grants every achievement whose goal the learner has reached, and records the reached goals beyond
 * achievements and the steps of the streak. Call this function in the transaction that may have reached
 * a goal.
 *
 * Each achievement is granted once. A lock per learner makes concurrent calls wait for each other, so
 * that a later call sees the progress that an earlier call recorded in another course.
 *
 * @returns the IDs of the achievements that this call granted
 */
export async function grantDueAchievements(
  transaction: Transaction,
  uid: string,
  now: Date,
): Promise<string[]> {
  const {
    rows: [learner],
  } = await transaction.execute<{ timeZone: string | null }>(sql`
    select
      (select display_timezone from users where id = ${uid}) as "timeZone",
      pg_advisory_xact_lock(hashtextextended(${`achievements ${uid}`}, 0))`)

  const learnerStatistics = await getLearnerStatistics(transaction, uid)
  const statistics = getAchievementStatistics(learnerStatistics)

  const reachedAchievements = achievementDefinitions.filter((definition) => {
    const { count, goal } = definition.getProgress(statistics)
    return count >= goal
  })
  const grantedIds = await grantAchievements(transaction, uid, reachedAchievements, now)

  const celebratedStreakDays = grantedIds.includes(consistentLearner.id)
    ? consistentLearner.days
    : null
  await recordStreakStep(transaction, uid, {
    studyDays: learnerStatistics.studyDays,
    celebratedStreakDays,
    now,
    timeZone: learner?.timeZone ?? 'UTC',
  })

  for (const { achievementId, goal, isHighest } of listReachedGoals(statistics)) {
    await recordMilestone(transaction, uid, {
      id: `goal:${achievementId}:${goal}`,
      at: now,
      shouldCelebrate: isHighest,
    })
  }

  return grantedIds
}

/** @returns the IDs of the achievements that the learner did not have before */
async function grantAchievements(
  transaction: Transaction,
  uid: string,
  reachedAchievements: readonly { id: string }[],
  now: Date,
): Promise<string[]> {
  if (reachedAchievements.length === 0) {
    return []
  }

  const insertedRows = await transaction
    .insert(achievements)
    .values(reachedAchievements.map(({ id }) => ({ uid, achievementId: id, grantedAt: now })))
    .onConflictDoNothing()
    .returning({ id: achievements.achievementId })

  const grantedIds = insertedRows.map(({ id }) => id)
  for (const id of grantedIds) {
    await recordMilestone(transaction, uid, {
      id: `achievement:${id}`,
      at: now,
      shouldCelebrate: true,
    })
  }

  return grantedIds
}

type StreakOptions = {
  studyDays: readonly string[]
  /** The step that a new achievement celebrates, so that it is not celebrated twice. */
  celebratedStreakDays: number | null
  now: Date
  timeZone: string
}

/**
 * Records the step of the streak that the learner has reached, unless the step was recorded in the last
 * three days. Study time may be reported late and out of order, which changes the day on which the step
 * was reached. Without this rule, the step would be recorded for each of these days.
 */
async function recordStreakStep(
  transaction: Transaction,
  uid: string,
  { studyDays, celebratedStreakDays, now, timeZone }: StreakOptions,
): Promise<void> {
  const today = localDay(now, timeZone)
  const step = findReachedStreakStep(studyDays, today)
  if (!step) {
    return
  }

  const getActivityId = (day: string) => `streak:${step.days}:${day}`
  const recentIds = [0, 1, 2].map((daysAgo) => getActivityId(addDays(today, -daysAgo)))
  const recentActivities = await transaction
    .select({ id: activities.id })
    .from(activities)
    .where(and(eq(activities.uid, uid), inArray(activities.id, recentIds)))
  if (recentActivities.length > 0) {
    return
  }

  await recordMilestone(transaction, uid, {
    id: getActivityId(step.reachedOn),
    at: now,
    shouldCelebrate: step.days !== celebratedStreakDays,
  })
}

type Milestone = { id: string; at: Date; shouldCelebrate: boolean }

/** Adds a milestone to the learner's activities, unless the milestone is among them already. */
function recordMilestone(
  transaction: Transaction,
  uid: string,
  { id, at, shouldCelebrate }: Milestone,
): Promise<void> {
  return recordActivity(transaction, uid, {
    id,
    type: 'milestone',
    text: getMilestoneText(id) ?? id,
    at,
    uncelebrated: shouldCelebrate,
  })
}

/** A celebration that the learner has not seen, and the IDs of the activities to mark as seen with it. */
export type WaitingCelebration = { celebration: Celebration; events: string[] }

type CelebrationRow = {
  id: string
  courseId: string | null
  title: string | null
  certificateId: string | null
  isRevoked: boolean
  waitsForConfirmedEmail: boolean
}

/** The kinds of celebrations, the most important first. */
const kindsByImportance: readonly Celebration['kind'][] = [
  'course',
  'achievement',
  'goal',
  'streak',
]

/** Returns the most important celebration that the learner has not seen yet, or null if there is none. */
export async function findCelebration(
  db: Pick<Database, 'execute'>,
  uid: string,
): Promise<WaitingCelebration | null> {
  const { rows } = await db.execute<CelebrationRow>(sql`
    select
      a.id,
      c.id as "courseId",
      c.title,
      k.id as "certificateId",
      r.revoked_at is not null as "isRevoked",
      coalesce(e.certificate_waits_since is not null, false) as "waitsForConfirmedEmail"
    from activities a
    left join courses c
      on a.id like 'completed:%'
      and c.id = substr(a.id, length('completed:') + 1)
    left join enrollments e on e.uid = a.uid and e.course_id = c.id
    left join certificates k on k.uid = a.uid and k.course_id = c.id
    left join certificate_register r on r.id = k.id
    where a.uid = ${uid}
      and a.uncelebrated
    order by a.at, a.id`)

  const waitingCelebrations = rows.flatMap((row) => {
    const celebration = toCelebration(row)
    return celebration ? [{ celebration, events: [row.id] }] : []
  })
  const [mostImportant] = waitingCelebrations.toSorted(
    (a, b) =>
      kindsByImportance.indexOf(a.celebration.kind) - kindsByImportance.indexOf(b.celebration.kind),
  )

  return mostImportant ?? null
}

/** Returns null if the course no longer exists or its certificate was revoked. */
function toCelebration(row: CelebrationRow): Celebration | null {
  // The IDs of milestones are like `streak:7:2026-11-20`, `achievement:bookworm` or `goal:bookworm:100`.
  const [kind, subject = '', goal] = row.id.split(':')
  if (kind === 'achievement') {
    return { kind, id: subject }
  }

  if (kind === 'streak') {
    return { kind, days: Number(subject) }
  }

  if (kind === 'goal') {
    return { kind, id: subject, goal: Number(goal) }
  }

  const { courseId, title, certificateId, isRevoked, waitsForConfirmedEmail } = row
  if (courseId === null || title === null || isRevoked) {
    return null
  }

  if (certificateId !== null) {
    return { kind: 'course', courseId, title, next: { certificateId } }
  }

  return { kind: 'course', courseId, title, next: waitsForConfirmedEmail ? 'address' : 'exam' }
}

/** Marks celebrations as seen, so that no page shows them again. */
export async function markCelebrationsSeen(
  db: Pick<Database, 'update'>,
  uid: string,
  activityIds: string[],
): Promise<void> {
  await db
    .update(activities)
    .set({ uncelebrated: false })
    .where(and(eq(activities.uid, uid), inArray(activities.id, activityIds)))
}

import { and, eq, inArray, sql } from 'drizzle-orm'
import { recordActivity } from '~/features/learning/progress/activity-queries.server'
import { getLearnerStatistics } from '~/features/learning/progress/learner-statistics.server'
import { findReachedStreakStep } from '~/features/learning/progress/streak'
import { addDays, localDay } from '~/features/learning/progress/study-time'
import type { Transaction } from '~/server/database/client.server'
import { achievements, activities } from '~/server/database/schema'
import {
  achievementDefinitions,
  consistentLearner,
  getAchievementStatistics,
  getMilestoneText,
  listReachedGoals,
} from './achievements'

/**
 * Grants every achievement whose goal the learner has reached, and records the reached goals beyond
 * achievements and the steps of the streak. Call this function in the transaction that may have
 * reached a goal.
 *
 * Each achievement is granted once. A lock per learner makes concurrent calls wait for each other,
 * so that a later call sees the progress that an earlier call recorded in another course.
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
 * Records the step of the streak that the learner has reached, unless the step was recorded in the
 * last three days. Study time may be reported late and out of order, which changes the day on which
 * the step was reached. Without this rule, the step would be recorded for each of these days.
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

import { and, eq, inArray, sql } from 'drizzle-orm'
import { recordActivity } from '~/features/progress/activity-queries.server'
import type { Transaction } from '~/features/progress/course-work-lock.server'
import { getLearnerFacts } from '~/features/progress/learner-facts.server'
import { streakStepReached } from '~/features/progress/streak'
import { addDays, localDay } from '~/features/progress/study-time'
import { achievements, activities } from '~/server/database/schema'
import { achievementDefinitions, achievementFactsOf, furtherGoalsReached } from './achievements'
import { milestoneText } from './milestone-text'

/**
 * Grants every achievement whose rule the learner's rows meet now; call it in the transaction that may have met one.
 * Each is granted and told once, also when two requests race: they look one after the other, so that the later one sees
 * what the earlier one did in another course. A streak's step and a goal
 * beyond an achievement are told with them, because they come of the same facts.
 *
 * @returns ids of what this call granted.
 */
export async function grantDueAchievements(transaction: Transaction, uid: string, now: Date): Promise<string[]> {
  const {
    rows: [learner],
  } = await transaction.execute<{ timeZone: string | null }>(sql`
    select (select display_timezone from users where id = ${uid}) as "timeZone",
      pg_advisory_xact_lock(hashtextextended(${`achievements ${uid}`}, 0))`)
  const learnerFacts = await getLearnerFacts(transaction, uid)
  await recordStreakStep(transaction, uid, learnerFacts.studyDays, now, learner?.timeZone ?? 'UTC')
  const facts = achievementFactsOf(learnerFacts)
  for (const { id, goal, highest } of furtherGoalsReached(facts))
    await recordMilestone(transaction, uid, `goal:${id}:${goal}`, now, highest)
  const due = achievementDefinitions.filter((definition) => isDue(definition.progress(facts)))
  if (due.length === 0) return []
  const granted = await transaction
    .insert(achievements)
    .values(due.map(({ id }) => ({ uid, achievementId: id, grantedAt: now })))
    .onConflictDoNothing()
    .returning({ id: achievements.achievementId })
  const ids = granted.map(({ id }) => id)
  for (const id of ids) await recordMilestone(transaction, uid, `achievement:${id}`, now)
  return ids
}

/** Reports may come late and out of order, and move the day: each step is told once in three days. */
async function recordStreakStep(
  transaction: Transaction,
  uid: string,
  studyDays: readonly string[],
  now: Date,
  timeZone: string,
): Promise<void> {
  const today = localDay(now, timeZone)
  const step = streakStepReached(studyDays, today)
  if (!step) return
  const eventOf = (day: string) => `streak:${step.days}:${day}`
  const recent = [0, 1, 2].map((days) => eventOf(addDays(today, -days)))
  const told = await transaction
    .select({ id: activities.id })
    .from(activities)
    .where(and(eq(activities.uid, uid), inArray(activities.id, recent)))
  if (told.length > 0) return
  await recordMilestone(transaction, uid, eventOf(step.reachedOn), now)
}

/** Told in the list of activities, once, and celebrated unless something else does that. */
function recordMilestone(
  transaction: Transaction,
  uid: string,
  id: string,
  at: Date,
  uncelebrated = true,
): Promise<void> {
  return recordActivity(transaction, uid, { id, type: 'milestone', text: milestoneText(id) ?? id, at, uncelebrated })
}

function isDue({ now, goal }: { now: number; goal: number }): boolean {
  return now >= goal
}

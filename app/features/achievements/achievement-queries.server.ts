import { and, eq, inArray, sql } from 'drizzle-orm'
import { recordActivity } from '~/features/learning/progress/activity-queries.server'
import { getLearnerStatistics } from '~/features/learning/progress/learner-statistics.server'
import { addDays, findReachedStreakStep, localDay } from '~/features/learning/progress/study-time'
import type { Database, Transaction } from '~/server/database/client.server'
import { achievements, activities } from '~/server/database/schema'
import {
  achievementDefinitions,
  achievementFactsOf,
  type Celebration,
  consistentLearner,
  furtherGoalsReached,
  milestoneText,
} from './achievements'

/**
 * Grants every achievement whose rule the learner's rows meet now; call it in the transaction that
 * may have met one. Each is granted and recorded once, also when two requests race: a lock makes
 * the later one see the work of the earlier one in another course. Steps of a streak and goals
 * beyond an achievement depend on the same facts, so they are recorded here, too.
 *
 * @returns the ids of the achievements that this call granted.
 */
export async function grantDueAchievements(
  transaction: Transaction,
  uid: string,
  now: Date,
): Promise<string[]> {
  const {
    rows: [learner],
  } = await transaction.execute<{ timeZone: string | null }>(sql`
    select (select display_timezone from users where id = ${uid}) as "timeZone",
      pg_advisory_xact_lock(hashtextextended(${`achievements ${uid}`}, 0))`)
  const selectLearnerStatistics = await getLearnerStatistics(transaction, uid)
  const facts = achievementFactsOf(selectLearnerStatistics)
  const due = achievementDefinitions.filter((definition) => isDue(definition.progress(facts)))
  const ids = await recordAchievements(transaction, uid, due, now)
  const celebratedDays = ids.includes(consistentLearner.id) ? consistentLearner.days : 0
  await recordStreakStep(
    transaction,
    uid,
    { ...selectLearnerStatistics, celebratedDays },
    now,
    learner?.timeZone ?? 'UTC',
  )

  for (const { id, goal, highest } of furtherGoalsReached(facts)) {
    await recordMilestone(transaction, uid, `goal:${id}:${goal}`, now, highest)
  }

  return ids
}

async function recordAchievements(
  transaction: Transaction,
  uid: string,
  due: readonly { id: string }[],
  now: Date,
): Promise<string[]> {
  if (due.length === 0) {
    return []
  }

  const granted = await transaction
    .insert(achievements)
    .values(due.map(({ id }) => ({ uid, achievementId: id, grantedAt: now })))
    .onConflictDoNothing()
    .returning({ id: achievements.achievementId })
  const ids = granted.map(({ id }) => id)
  for (const id of ids) {
    await recordMilestone(transaction, uid, `achievement:${id}`, now)
  }

  return ids
}

/**
 * Reports may come late and out of order, and move the day: each step is recorded once in three
 * days. The step that an achievement celebrates (`celebratedDays`) isn't celebrated again.
 */
async function recordStreakStep(
  transaction: Transaction,
  uid: string,
  { studyDays, celebratedDays }: { studyDays: readonly string[]; celebratedDays: number },
  now: Date,
  timeZone: string,
): Promise<void> {
  const today = localDay(now, timeZone)
  const step = findReachedStreakStep(studyDays, today)
  if (!step) {
    return
  }

  const eventOf = (day: string) => `streak:${step.days}:${day}`
  const recent = [0, 1, 2].map((days) => eventOf(addDays(today, -days)))
  const recorded = await transaction
    .select({ id: activities.id })
    .from(activities)
    .where(and(eq(activities.uid, uid), inArray(activities.id, recent)))
  if (recorded.length > 0) {
    return
  }

  await recordMilestone(
    transaction,
    uid,
    eventOf(step.reachedOn),
    now,
    step.days !== celebratedDays,
  )
}

/**
 * Recorded in the list of activities, once, and celebrated unless another celebration covers it.
 */
function recordMilestone(
  transaction: Transaction,
  uid: string,
  id: string,
  at: Date,
  uncelebrated = true,
): Promise<void> {
  return recordActivity(transaction, uid, {
    id,
    type: 'milestone',
    text: milestoneText(id) ?? id,
    at,
    uncelebrated,
  })
}

function isDue({ now, goal }: { now: number; goal: number }): boolean {
  return now >= goal
}

type Row = {
  id: string
  courseId: string | null
  title: string | null
  certificateId: string | null
  revoked: boolean
  waitsForAddress: boolean
}

/** `events`: ids of the activities to mark as seen with it. */
export type WaitingCelebration = { celebration: Celebration; events: string[] }

const order: readonly Celebration['kind'][] = ['course', 'achievement', 'goal', 'streak']

/** The learner's most important unseen celebration; null if there is none. */
export async function findCelebration(
  db: Pick<Database, 'execute'>,
  uid: string,
): Promise<WaitingCelebration | null> {
  const { rows } = await db.execute<Row>(sql`
    select a.id, c.id as "courseId", c.title, k.id as "certificateId", r.revoked_at is not null as revoked,
      coalesce(e.certificate_waits_since is not null, false) as "waitsForAddress"
    from activities a
    left join courses c on a.id like 'completed:%' and c.id = substr(a.id, length('completed:') + 1)
    left join enrollments e on e.uid = a.uid and e.course_id = c.id
    left join certificates k on k.uid = a.uid and k.course_id = c.id
    left join certificate_register r on r.id = k.id
    where a.uid = ${uid} and a.uncelebrated
    order by a.at, a.id`)
  const waiting = rows.flatMap((row) => {
    const celebration = celebrationOf(row)
    return celebration ? [{ celebration, events: [row.id] }] : []
  })
  const rank = ({ celebration }: WaitingCelebration) => order.indexOf(celebration.kind)

  return waiting.toSorted((one, other) => rank(one) - rank(other))[0] ?? null
}

/** Marks celebrations as seen, so that no page shows them again. */
export async function recordCelebrationSeen(
  db: Pick<Database, 'update'>,
  uid: string,
  events: string[],
) {
  await db
    .update(activities)
    .set({ uncelebrated: false })
    .where(and(eq(activities.uid, uid), inArray(activities.id, events)))
}

/**
 * Null for an event that no page celebrates: its course is gone, or its certificate was revoked.
 */
function celebrationOf({
  id,
  courseId,
  title,
  certificateId,
  revoked,
  waitsForAddress,
}: Row): Celebration | null {
  const [kind, name = '', goal] = id.split(':')
  if (kind === 'achievement') {
    return { kind, id: name }
  }

  if (kind === 'streak') {
    return { kind, days: Number(name) }
  }

  if (kind === 'goal') {
    return { kind, id: name, goal: Number(goal) }
  }

  if (courseId === null || title === null || revoked) {
    return null
  }

  const missing = waitsForAddress ? 'address' : 'exam'
  const next = certificateId === null ? missing : { certificateId }

  return { kind: 'course', courseId, title, next }
}

import { sql } from 'drizzle-orm'
import type { Database } from '~/server/database/client.server'
import { isoText } from '~/server/database/database-time.server'
import { activities } from '~/server/database/schema'

export type ActivityType = 'lesson' | 'quiz' | 'certificate' | 'course' | 'milestone'

/** An entry in a learner's list of activities. */
export type Activity = {
  id: string
  type: ActivityType
  /** The name of a Lucide icon, which depends on the type. */
  icon: string
  text: string
  /** An ISO date and time. */
  time: string
}

export const activityIcons: Record<ActivityType, string> = {
  lesson: 'book-open-check',
  quiz: 'circle-help',
  certificate: 'award',
  course: 'graduation-cap',
  milestone: 'flag',
}

type NewActivity = {
  /** Names the event, for example `lesson:python-from-zero:names-and-values`. */
  id: string
  type: ActivityType
  text: string
  at?: Date
  /** Whether the activity waits for a page that celebrates it. */
  uncelebrated?: boolean
}

/**
 * Records what a learner did. An activity whose id exists already is not recorded again. Call this
 * in the transaction that changes the learner's data.
 */
export async function recordActivity(
  db: Pick<Database, 'insert'>,
  uid: string,
  activity: NewActivity,
): Promise<void> {
  await db
    .insert(activities)
    .values({ uid, ...activity })
    .onConflictDoNothing()
}

/**
 * Lists the activities before another activity of the same learner, newest first. The list is empty
 * if the other activity doesn't exist.
 */
export async function listOlderActivities(
  db: Database,
  uid: string,
  beforeId: string,
  limit: number,
): Promise<Activity[]> {
  const { rows } = await db.execute<Omit<Activity, 'icon'>>(sql`
    select a.id, a.type, a.text, ${isoText(sql`a.at`)} as time
    from activities a
    join activities newer on newer.uid = a.uid and newer.id = ${beforeId}
    where a.uid = ${uid} and (a.at, a.id) < (newer.at, newer.id)
    order by a.at desc, a.id desc
    limit ${limit}`)

  return rows.map((row) => ({ ...row, icon: activityIcons[row.type] }))
}

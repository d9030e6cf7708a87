import { sql } from 'drizzle-orm'
import type { Database } from '~/server/database/client.server'
import { isoText } from '~/server/database/database-time.server'
import { activities } from '~/server/database/schema'

type Writer = Pick<Database, 'insert'>

/**
 * Records what a learner did. Call it in the transaction that did it.
 *
 * @param activity its id names the event, for example `lesson:python-from-zero:names-and-values`:
 * the same event twice is
 *   recorded once. One that is `uncelebrated` waits for a page that celebrates it
 * (`findCelebration`).
 */
export async function recordActivity(
  db: Writer,
  uid: string,
  activity: { id: string; type: ActivityType; text: string; at?: Date; uncelebrated?: boolean },
): Promise<void> {
  await db
    .insert(activities)
    .values({ uid, ...activity })
    .onConflictDoNothing()
}

/**
 * Activities before a known one, newest first.
 *
 * @param beforeId an activity of the same learner; nothing is before one that does not exist.
 */
export async function listOlderActivities(
  db: Database,
  uid: string,
  beforeId: string,
  limit: number,
): Promise<Activity[]> {
  const { rows } = await db.execute<Omit<Activity, 'icon'>>(sql`
    select a.id, a.type, a.text, ${isoText(sql`a.at`)} as time
    from activities a join activities known on known.uid = a.uid and known.id = ${beforeId}
    where a.uid = ${uid} and (a.at, a.id) < (known.at, known.id)
    order by a.at desc, a.id desc limit ${limit}`)

  return rows.map((row) => ({ ...row, icon: activityIcons[row.type] }))
}

export type ActivityType = 'lesson' | 'quiz' | 'certificate' | 'course' | 'milestone'

/** `icon` is the name of a lucide icon, decided by the type; `time` an ISO date-time. */
export type Activity = { id: string; type: ActivityType; icon: string; text: string; time: string }

/** The profile shows their icons. */
export const activityIcons: Record<ActivityType, string> = {
  lesson: 'book-open-check',
  quiz: 'circle-help',
  certificate: 'award',
  course: 'graduation-cap',
  milestone: 'flag',
}

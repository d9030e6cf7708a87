import type { Database } from '~/server/database/client.server'
import { activities } from '~/server/database/schema'
import type { ActivityType } from './learner-record'

type Writer = Pick<Database, 'insert'>

/**
 * Tells what a learner did. Call it in the transaction of the deed.
 *
 * @param activity its id names the event, for example `lesson:python-from-zero:names-and-values`: the same event twice is
 *   told once.
 */
export async function recordActivity(
  db: Writer,
  uid: string,
  activity: { id: string; type: ActivityType; text: string; at?: Date },
): Promise<void> {
  await db
    .insert(activities)
    .values({ uid, ...activity })
    .onConflictDoNothing()
}

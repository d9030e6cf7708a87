import { sql } from 'drizzle-orm'
import type { Database } from '~/server/database/client.server'
import { randomId } from '~/server/database/random-id.server'

/**
 * Learners find in their own data who of the staff opened them; what follows within a quarter of an
 * hour counts once.
 */
export async function recordOpened(
  db: Pick<Database, 'execute'>,
  by: string,
  uid: string,
): Promise<void> {
  await db.execute(sql`
    insert into operator_acts (id, by, act, subject, arguments, outcome)
    select ${randomId()}, ${by}, 'learner open', ${uid}, '{}', 'The account was looked at.'
    where not exists (select from operator_acts where subject = ${uid} and by = ${by} and act = 'learner open'
      and at > now() - interval '15 minutes')`)
}

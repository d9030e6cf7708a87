import { eq } from 'drizzle-orm'
import type { Database } from '~/server/database/client.server'
import { users } from '~/server/database/schema/index'
import { StartError } from '~/server/env.server'
import type { UserRow } from '../account-queries.server'

/**
 * The account that an operator names by email address or uid.
 *
 * @throws {StartError} if there is none.
 */
export async function getAccount(db: Pick<Database, 'select'>, name: string): Promise<UserRow> {
  const wanted = name.trim()
  const which = wanted.includes('@') ? eq(users.email, wanted.toLowerCase()) : eq(users.id, wanted)
  const [user] = await db.select().from(users).where(which)
  if (!user) throw new StartError(`No account has the ${wanted.includes('@') ? 'email address' : 'uid'} '${wanted}'.`)
  return user
}

import { sql } from 'drizzle-orm'
import type { Database, Statements } from '~/server/database/client.server'

/** Counts only owners whose account is enabled. */
const activeOwners = sql`
  select s.uid from staff s join users u on u.id = s.uid where s.role = 'owner' and not u.banned limit 2`

export async function hasOwner(db: Pick<Database, 'execute'>): Promise<boolean> {
  const { rows } = await db.execute(activeOwners)
  return rows.length > 0
}

/**
 * Whether the school would have no owner without this account. Two owners who remove each other at
 * the same time wait for one another here, so ask before the accounts are locked.
 */
export async function isOnlyOwner(
  transaction: Pick<Statements, 'execute'>,
  uid: string,
): Promise<boolean> {
  const { rows: own } = await transaction.execute(
    sql`select from staff where uid = ${uid} and role = 'owner'`,
  )
  if (own.length === 0) {
    return false
  }

  // A statement of its own: the next one sees what the transaction that held the owners before has
  // changed.
  await transaction.execute(sql`select from staff where role = 'owner' order by uid for update`)
  const { rows } = await transaction.execute<{ uid: string }>(activeOwners)

  return rows.length === 1 && rows[0]?.uid === uid
}

export const onlyOwnerProblem = 'This is the only owner. Make somebody else owner first.'

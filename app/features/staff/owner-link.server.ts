import { createHash, randomBytes } from 'node:crypto'
import { and, eq, gt, like } from 'drizzle-orm'
import type { Database, Statements, Transaction } from '~/server/database/client.server'
import { randomId } from '~/server/database/random-id.server'
import { staff, verifications } from '~/server/database/schema'
import { hasOwner } from './owners.server'

/**
 * A link that makes the account that uses it an owner: the way to the first one, and back if all
 * are gone.
 */

const hoursToLive = 24
const prefix = 'desk-owner:'

/** Only a hash is stored, so that a copy of the database makes no owner. */
const identifierOf = (token: string) =>
  prefix + createHash('sha256').update(token).digest('base64url')

/** @returns the path with 256 random bits; it works once, and for a day. */
export async function createOwnerLink(
  db: Pick<Statements, 'insert'>,
  now = new Date(),
): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  await db.insert(verifications).values({
    id: randomId(),
    identifier: identifierOf(token),
    value: 'owner',
    expiresAt: new Date(now.getTime() + hoursToLive * 60 * 60_000),
  })

  return `/Desk/Join?token=${token}`
}

/** For the start: a link while there is no owner. @returns null once there is one. */
export async function firstOwnerLink(db: Database): Promise<string | null> {
  return (await hasOwner(db)) ? null : createOwnerLink(db)
}

const usable = (token: string, now: Date) =>
  and(eq(verifications.identifier, identifierOf(token)), gt(verifications.expiresAt, now))

export async function isOwnerLink(
  db: Pick<Database, '$count'>,
  token: string,
  now: Date,
): Promise<boolean> {
  return (await db.$count(verifications, usable(token, now))) > 0
}

/**
 * Makes the account an owner. All other links end with it.
 *
 * @returns false if the link was used, or is too old
 */
export async function becomeOwner(
  transaction: Transaction,
  uid: string,
  token: string,
  now: Date,
): Promise<boolean> {
  // In the same order for everyone, so that those who press different links at once wait for one
  // another.
  const isLink = like(verifications.identifier, `${prefix}%`)
  await transaction
    .select()
    .from(verifications)
    .where(isLink)
    .orderBy(verifications.id)
    .for('update')
  const used = await transaction
    .delete(verifications)
    .where(usable(token, now))
    .returning({ id: verifications.id })
  if (used.length === 0) {
    return false
  }

  await transaction.delete(verifications).where(isLink)
  const role = { role: 'owner' as const, seesAddresses: false }
  await transaction
    .insert(staff)
    .values({ uid, ...role })
    .onConflictDoUpdate({ target: staff.uid, set: role })

  return true
}

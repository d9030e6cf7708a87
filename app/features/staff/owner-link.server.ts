/**
 * Links that make an account an owner. A new school gets its first owner by such a link, and a
 * school that has lost all owners gets one back.
 *
 * A link has 256 random bits, works once, and expires after a day. The database stores only a hash
 * of it, so that nobody can become an owner with a copy of the database.
 */
import { createHash, randomBytes } from 'node:crypto'
import { and, eq, gt, like } from 'drizzle-orm'
import type { Database, Statements, Transaction } from '~/server/database/client.server'
import { randomId } from '~/server/database/random-id.server'
import { staff, verifications } from '~/server/database/schema'
import { hasOwner } from './staff-queries.server'

const linkLifetimeMs = 24 * 60 * 60_000
const identifierPrefix = 'desk-owner:'

/** Creates a link that makes an account an owner, and returns its path. */
export async function createOwnerLink(
  db: Pick<Statements, 'insert'>,
  now = new Date(),
): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  await db.insert(verifications).values({
    id: randomId(),
    identifier: getIdentifier(token),
    value: 'owner',
    expiresAt: new Date(now.getTime() + linkLifetimeMs),
  })

  return `/Desk/Join?token=${token}`
}

/** Creates a link when the server starts. Returns null if the school has an owner. */
export async function createFirstOwnerLink(db: Database): Promise<string | null> {
  if (await hasOwner(db)) {
    return null
  }

  return createOwnerLink(db)
}

/** Returns whether a link with this token can be used. */
export async function isOwnerLink(
  db: Pick<Database, '$count'>,
  token: string,
  now: Date,
): Promise<boolean> {
  const linkCount = await db.$count(verifications, matchesUsableLink(token, now))
  return linkCount > 0
}

/**
 * Makes the account an owner, and deletes all other links.
 *
 * @returns false if the link was used or has expired
 */
export async function becomeOwner(
  tx: Transaction,
  uid: string,
  token: string,
  now: Date,
): Promise<boolean> {
  const isOwnerLinkRow = like(verifications.identifier, `${identifierPrefix}%`)

  // Every transaction locks all links in the same order. If people use different links at the same
  // time, they wait for each other, and only the first one becomes an owner.
  await tx
    .select()
    .from(verifications)
    .where(isOwnerLinkRow)
    .orderBy(verifications.id)
    .for('update')

  const usedLinks = await tx
    .delete(verifications)
    .where(matchesUsableLink(token, now))
    .returning({ id: verifications.id })
  if (usedLinks.length === 0) {
    return false
  }

  await tx.delete(verifications).where(isOwnerLinkRow)

  const ownerRole = { role: 'owner' as const, seesAddresses: false }
  await tx
    .insert(staff)
    .values({ uid, ...ownerRole })
    .onConflictDoUpdate({ target: staff.uid, set: ownerRole })

  return true
}

function matchesUsableLink(token: string, now: Date) {
  return and(eq(verifications.identifier, getIdentifier(token)), gt(verifications.expiresAt, now))
}

function getIdentifier(token: string): string {
  return identifierPrefix + createHash('sha256').update(token).digest('base64url')
}

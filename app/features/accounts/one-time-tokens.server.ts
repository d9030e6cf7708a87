/**
 * One-time tokens: emailed links to reset a password or confirm an email, and the cookie of a
 * browser between the two steps of a sign-in.
 *
 * A token has 256 random bits, only its hash is stored, exactly one of parallel requests can use
 * it, and it can be revoked. better-auth's tokens break this promise: its confirmation link is a
 * signed token that works any number of times until it expires and cannot be revoked, and its reset
 * tokens are stored in clear text by default.
 */
import { createHash, randomBytes } from 'node:crypto'
import { and, eq, gt, isNull, like } from 'drizzle-orm'
import type { Statements } from '~/server/database/client.server'
import { randomId } from '~/server/database/random-id.server'
import { outbox, verifications } from '~/server/database/schema/index'

type TokenPurpose = 'reset-password' | 'verify-email' | 'second-step'

const defaultLifetimesMs = {
  'reset-password': 60 * 60_000,
  'verify-email': 24 * 60 * 60_000,
  'second-step': 10 * 60_000,
} as const satisfies Record<TokenPurpose, number>

type TokenOptions = { now?: number; lifetimeMs?: number }

/** Creates a token for an account, and returns it. */
export async function createOneTimeToken(
  db: Statements,
  purpose: TokenPurpose,
  uid: string,
  { now = Date.now(), lifetimeMs = defaultLifetimesMs[purpose] }: TokenOptions = {},
): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  await db.insert(verifications).values({
    id: randomId(),
    identifier: getIdentifier(purpose, token),
    value: uid,
    expiresAt: new Date(now + lifetimeMs),
  })

  return token
}

/**
 * Returns the uid of the account that a usable token belongs to, or null. The token stays usable
 * until `consumeOneTimeToken`.
 */
export async function findOneTimeToken(
  db: Statements,
  purpose: TokenPurpose,
  token: string,
  now = Date.now(),
): Promise<string | null> {
  const [row] = await db
    .select({ uid: verifications.value })
    .from(verifications)
    .where(isUsableToken(purpose, token, now))
  return row?.uid ?? null
}

/** Returns the condition for a token that has not expired. */
function isUsableToken(purpose: TokenPurpose, token: string, now: number) {
  return and(
    eq(verifications.identifier, getIdentifier(purpose, token)),
    gt(verifications.expiresAt, new Date(now)),
  )
}

/** Returns the stored form of a token. It is a hash, so a copy of the database opens no account. */
function getIdentifier(purpose: TokenPurpose, token: string): string {
  return `${purpose}:${createHash('sha256').update(token).digest('base64url')}`
}

/**
 * Consumes a token. If several callers do so in parallel, exactly one of them gets the account's
 * uid.
 *
 * @returns null if the token is not usable
 */
export async function consumeOneTimeToken(
  db: Statements,
  purpose: TokenPurpose,
  token: string,
  now = Date.now(),
): Promise<string | null> {
  const [deleted] = await db
    .delete(verifications)
    .where(isUsableToken(purpose, token, now))
    .returning({ uid: verifications.value })
  return deleted?.uid ?? null
}

/**
 * Revokes every token of an account, or those of one purpose.
 *
 * Without a purpose, the account's waiting emails are removed as well, because their links would be
 * created when they are sent. Notices to a previous email and receipts have no link and stay.
 */
export async function revokeOneTimeTokens(
  db: Statements,
  uid: string,
  purpose?: TokenPurpose,
): Promise<void> {
  const belongsToAccount = eq(verifications.value, uid)
  if (purpose) {
    const hasPurpose = like(verifications.identifier, `${purpose}:%`)
    await db.delete(verifications).where(and(belongsToAccount, hasPurpose))
    return
  }

  await db.delete(verifications).where(belongsToAccount)
  const mayHaveLink = and(isNull(outbox.formerAddress), isNull(outbox.orderId))
  await db.delete(outbox).where(and(eq(outbox.uid, uid), mayHaveLink))
}

import { createHash, randomBytes } from 'node:crypto'
import { and, eq, gt, isNull, like } from 'drizzle-orm'
import type { Statements } from '~/server/database/client.server'
import { randomId } from '~/server/database/random-id.server'
import { outbox, verifications } from '~/server/database/schema/index'

/**
 * The first two are mailed links: they prove that the reader of the account's email opened them.
 * The third is the cookie of a browser that has passed the first step of a sign-in.
 */
export type TokenPurpose = 'reset-password' | 'verify-email' | 'second-step'

const lifetimeMs = {
  'reset-password': 60 * 60_000,
  'verify-email': 24 * 60 * 60_000,
  'second-step': 10 * 60_000,
} as const

/** Only a hash is stored, so that a copy of the database opens no account. */
function identifier(purpose: TokenPurpose, token: string): string {
  return `${purpose}:${createHash('sha256').update(token).digest('base64url')}`
}

/** @returns the token for a link: 256 random bits. */
export async function createOneTimeToken(
  db: Statements,
  purpose: TokenPurpose,
  uid: string,
  now = Date.now(),
  livesMs: number = lifetimeMs[purpose],
) {
  const token = randomBytes(32).toString('base64url')
  await db.insert(verifications).values({
    id: randomId(),
    identifier: identifier(purpose, token),
    value: uid,
    expiresAt: new Date(now + livesMs),
  })

  return token
}

function usable(purpose: TokenPurpose, token: string, now: number) {
  return and(
    eq(verifications.identifier, identifier(purpose, token)),
    gt(verifications.expiresAt, new Date(now)),
  )
}

/** @returns whose link it is while it can be used; using it up is `consumeOneTimeToken`. */
export async function findOneTimeToken(
  db: Statements,
  purpose: TokenPurpose,
  token: string,
  now = Date.now(),
) {
  const [found] = await db
    .select({ uid: verifications.value })
    .from(verifications)
    .where(usable(purpose, token, now))
  return found?.uid ?? null
}

/** @returns the account's uid to exactly one of any number of callers, null to the others. */
export async function consumeOneTimeToken(
  db: Statements,
  purpose: TokenPurpose,
  token: string,
  now = Date.now(),
) {
  const [used] = await db
    .delete(verifications)
    .where(usable(purpose, token, now))
    .returning({ uid: verifications.value })
  return used?.uid ?? null
}

/**
 * Revokes every token of an account, or those of one purpose. Without a purpose, mail that waits is
 * removed, too, because its link is made when it is sent; the notice to a former address and
 * receipts stay.
 */
export async function revokeOneTimeTokens(
  db: Statements,
  uid: string,
  purpose?: TokenPurpose,
): Promise<void> {
  const ofPurpose = purpose && like(verifications.identifier, `${purpose}:%`)
  await db.delete(verifications).where(and(eq(verifications.value, uid), ofPurpose))
  if (!purpose) {
    await db
      .delete(outbox)
      .where(and(eq(outbox.uid, uid), isNull(outbox.formerAddress), isNull(outbox.orderId)))
  }
}

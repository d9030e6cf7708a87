import { createHash, randomBytes } from 'node:crypto'
import { and, eq, gt, like, sql } from 'drizzle-orm'
import type { Database } from '../database/client.server'
import { verifications } from '../database/schema'

/** Both prove that whoever opens the link reads the account's mail. */
export type TokenPurpose = 'reset-password' | 'verify-email'

const lifetimeMs = { 'reset-password': 60 * 60_000, 'verify-email': 24 * 60 * 60_000 } as const

/** Only a hash is stored, so that a copy of the database opens no account. */
function identifier(purpose: TokenPurpose, token: string): string {
  return `${purpose}:${createHash('sha256').update(token).digest('base64url')}`
}

/** @returns the token for a link: 256 random bits. */
export async function createMailedToken(db: Database, purpose: TokenPurpose, uid: string, now = Date.now()) {
  const token = randomBytes(32).toString('base64url')
  await db.insert(verifications).values({
    id: randomBytes(16).toString('base64url'),
    identifier: identifier(purpose, token),
    value: uid,
    expiresAt: new Date(now + lifetimeMs[purpose]),
  })
  return token
}

function usable(purpose: TokenPurpose, token: string, now: number) {
  return and(eq(verifications.identifier, identifier(purpose, token)), gt(verifications.expiresAt, new Date(now)))
}

/** Whether the link can still be used; using it up is `consumeMailedToken`. */
export async function isMailedTokenUsable(db: Database, purpose: TokenPurpose, token: string, now = Date.now()) {
  const rows = await db
    .select({ one: sql`1` })
    .from(verifications)
    .where(usable(purpose, token, now))
  return rows.length > 0
}

/** @returns the account's uid to exactly one of any number of callers, null to the others. */
export async function consumeMailedToken(db: Database, purpose: TokenPurpose, token: string, now = Date.now()) {
  const [used] = await db
    .delete(verifications)
    .where(usable(purpose, token, now))
    .returning({ uid: verifications.value })
  return used?.uid ?? null
}

/** Every link of a purpose that was sent to an account. */
export async function revokeMailedTokens(db: Database, purpose: TokenPurpose, uid: string): Promise<void> {
  await db
    .delete(verifications)
    .where(and(like(verifications.identifier, `${purpose}:%`), eq(verifications.value, uid)))
}

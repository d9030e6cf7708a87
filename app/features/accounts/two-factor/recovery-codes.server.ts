/**
 * Recovery codes, which replace the authenticator app of a learner who lost it. Each works once.
 *
 * Only slow salted hashes are stored, so nobody who has the database and `AUTH_SECRET` can read
 * them. better-auth's backup codes break this promise: they are stored in clear text or encrypted
 * with the secret.
 */
import { randomBytes } from 'node:crypto'
import { base32crockford } from '@scure/base'
import { and, eq, isNotNull, sql } from 'drizzle-orm'
import type { Statements } from '~/server/database/client.server'
import { twoFactor } from '~/server/database/schema/index'
import { hashWithSalt } from '../password/passwords.server'
import { readRandomCode } from '../step-up/mailed-code.server'
import { findTwoFactor } from './authenticator-app.server'

const codeCount = 10

/** Twelve characters have 60 random bits. They are shown in three groups of four. */
const codeLength = 12

type StoredCodes = { recoveryHashes: string[]; recoverySalt: string }

/**
 * Returns new codes to display once, and what is stored of them. Returns null if too many passwords
 * are waiting to be hashed.
 */
export async function generateRecoveryCodes(): Promise<{
  displayed: string[]
  stored: StoredCodes
} | null> {
  const recoverySalt = randomBytes(16).toString('base64url')
  const codes = Array.from({ length: codeCount }, () =>
    base32crockford.encode(randomBytes(8)).slice(0, codeLength),
  )

  const recoveryHashes: string[] = []
  for (const code of codes) {
    const hash = await hashWithSalt(code, recoverySalt)
    if (!hash) {
      return null
    }

    recoveryHashes.push(hash)
  }

  return {
    displayed: codes.map((code) => code.replace(/.{4}(?=.)/g, '$&-')),
    stored: { recoveryHashes, recoverySalt },
  }
}

/**
 * Uses a recovery code up.
 *
 * @returns true to exactly one of any number of parallel callers with the same code; null if too
 *   many passwords are waiting to be hashed
 */
export async function consumeRecoveryCode(
  db: Statements,
  uid: string,
  submittedCode: string,
): Promise<boolean | null> {
  const row = await findTwoFactor(db, uid)
  const code = readRandomCode(submittedCode)
  if (!row || code.length !== codeLength) {
    return false
  }

  const hash = await hashWithSalt(code, row.recoverySalt)
  if (!hash) {
    return null
  }

  const { recoveryHashes } = twoFactor
  const updated = await db
    .update(twoFactor)
    .set({ recoveryHashes: sql`array_remove(${recoveryHashes}, ${hash})` })
    .where(
      and(
        eq(twoFactor.uid, uid),
        isNotNull(twoFactor.enabledAt),
        sql`${hash} = any(${recoveryHashes})`,
      ),
    )
    .returning({ uid: twoFactor.uid })

  return updated.length > 0
}

/**
 * Replaces all recovery codes of an account.
 *
 * @returns false if the account has no second step
 */
export async function replaceRecoveryCodes(
  db: Statements,
  uid: string,
  stored: StoredCodes,
): Promise<boolean> {
  const updated = await db
    .update(twoFactor)
    .set(stored)
    .where(and(eq(twoFactor.uid, uid), isNotNull(twoFactor.enabledAt)))
    .returning({ uid: twoFactor.uid })

  return updated.length > 0
}

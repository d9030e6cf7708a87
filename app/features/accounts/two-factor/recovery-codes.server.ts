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
import { parseRandomCode } from '../step-up/mailed-code.server'
import { findTwoFactor } from './authenticator-app.server'

const codeCount = 10

/** Twelve characters of base 32 have 60 random bits. They are shown in three groups of four. */
const codeLength = 12

/** The 64 random bits that a code is cut from. */
const randomByteCount = 8
const saltByteCount = 16

type StoredCodes = { recoveryHashes: string[]; recoverySalt: string }

type GeneratedCodes = {
  /** The codes as the learner sees them once, like `K7QD-3M2X-P9AB`. */
  displayedCodes: string[]
  storedCodes: StoredCodes
}

/** Returns null if too many passwords are waiting to be hashed. */
export async function generateRecoveryCodes(): Promise<GeneratedCodes | null> {
  const recoverySalt = randomBytes(saltByteCount).toString('base64url')
  const codes = Array.from({ length: codeCount }, () =>
    base32crockford.encode(randomBytes(randomByteCount)).slice(0, codeLength),
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
    displayedCodes: codes.map(groupCharacters),
    storedCodes: { recoveryHashes, recoverySalt },
  }
}

/** Writes a hyphen after every four characters. */
function groupCharacters(code: string): string {
  return code.replace(/.{4}(?=.)/g, '$&-')
}

/**
 * Uses a recovery code up. Exactly one of any number of parallel callers with the same code gets
 * `accepted`.
 *
 * @returns `busy` if too many passwords are waiting to be hashed
 */
export async function consumeRecoveryCode(
  db: Statements,
  uid: string,
  submittedCode: string,
): Promise<'accepted' | 'wrong' | 'busy'> {
  const row = await findTwoFactor(db, uid)
  const code = parseRandomCode(submittedCode)
  if (!row || code.length !== codeLength) {
    return 'wrong'
  }

  const hash = await hashWithSalt(code, row.recoverySalt)
  if (!hash) {
    return 'busy'
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

  return updated.length > 0 ? 'accepted' : 'wrong'
}

/**
 * Replaces all recovery codes of an account.
 *
 * @returns false if the account has no two-step sign-in
 */
export async function replaceRecoveryCodes(
  db: Statements,
  uid: string,
  storedCodes: StoredCodes,
): Promise<boolean> {
  const updated = await db
    .update(twoFactor)
    .set(storedCodes)
    .where(and(eq(twoFactor.uid, uid), isNotNull(twoFactor.enabledAt)))
    .returning({ uid: twoFactor.uid })

  return updated.length > 0
}

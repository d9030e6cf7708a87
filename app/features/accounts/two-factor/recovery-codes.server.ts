/**
 * Recovery codes, which replace the authenticator app of a learner who lost it. Each works once.
 *
 * Only slow salted hashes are stored, so nobody who has the database and `AUTH_SECRET` can read
 * them. better-auth's backup codes do not ensure this: they are stored in clear text or encrypted
 * with the secret.
 */
import { randomBytes } from 'node:crypto'
import { base32crockford } from '@scure/base'
import { and, eq, isNotNull, sql } from 'drizzle-orm'
import type { Statements } from '~/server/database/client.server'
import { twoFactor } from '~/server/database/schema/index'
import { hashWithSalt } from '../password/passwords.server'
import { normalizeCode } from '../step-up/mailed-code.server'
import { findTwoFactor } from './authenticator-app.server'

const codeCount = 10

/** Twelve characters of base 32 have 60 random bits. They are shown in three groups of four. */
const codeLength = 12

/**
 * The number of random bytes for a code. They give 13 characters, which are cut to `codeLength`.
 */
const randomByteCount = 8
const saltByteCount = 16

/** The columns of `two_factor` that store the codes. */
type HashedCodes = { recoveryHashes: string[]; recoverySalt: string }

type GeneratedCodes = {
  /** The codes as the learner sees them once, like `K7QD-3M2X-P9AB`. */
  displayedCodes: string[]
  hashedCodes: HashedCodes
}

/** @returns null if the queue for slow hashes, which also takes passwords, is full */
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
    displayedCodes: codes.map(addHyphens),
    hashedCodes: { recoveryHashes, recoverySalt },
  }
}

/** Writes a hyphen after every four characters. */
function addHyphens(code: string): string {
  return code.replace(/.{4}(?=.)/g, '$&-')
}

/** The SQL condition that an account has two-step sign-in: its authenticator app is enabled. */
const isEnabledCondition = isNotNull(twoFactor.enabledAt)

/**
 * Consumes a recovery code. Of several simultaneous calls with the same code, exactly one gets
 * `accepted`: the update locks the row, and later calls no longer find the code in it.
 *
 * @returns `busy` if the queue for slow hashes is full
 */
export async function consumeRecoveryCode(
  db: Statements,
  uid: string,
  submittedCode: string,
): Promise<'accepted' | 'wrong' | 'busy'> {
  const storedTwoFactor = await findTwoFactor(db, uid)
  const code = normalizeCode(submittedCode)
  if (!storedTwoFactor || code.length !== codeLength) {
    return 'wrong'
  }

  const hash = await hashWithSalt(code, storedTwoFactor.recoverySalt)
  if (!hash) {
    return 'busy'
  }

  const updatedRows = await db
    .update(twoFactor)
    .set({ recoveryHashes: sql`array_remove(${twoFactor.recoveryHashes}, ${hash})` })
    .where(
      and(
        eq(twoFactor.uid, uid),
        isEnabledCondition,
        sql`${hash} = any(${twoFactor.recoveryHashes})`,
      ),
    )
    .returning({ uid: twoFactor.uid })

  return updatedRows.length > 0 ? 'accepted' : 'wrong'
}

/**
 * Replaces all recovery codes of an account.
 *
 * @returns false if the account has no two-step sign-in
 */
export async function replaceRecoveryCodes(
  db: Statements,
  uid: string,
  hashedCodes: HashedCodes,
): Promise<boolean> {
  const updatedRows = await db
    .update(twoFactor)
    .set(hashedCodes)
    .where(and(eq(twoFactor.uid, uid), isEnabledCondition))
    .returning({ uid: twoFactor.uid })

  return updatedRows.length > 0
}

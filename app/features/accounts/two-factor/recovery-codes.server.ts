import { randomBytes } from 'node:crypto'
import { base32crockford } from '@scure/base'
import { and, eq, isNotNull, sql } from 'drizzle-orm'
import type { Statements } from '~/server/database/client.server'
import { twoFactor } from '~/server/database/schema/index'
import { hashWithSalt } from '../password/passwords.server'
import { readCode } from '../step-up/mailed-code.server'
import { findTwoFactor } from './authenticator-app.server'

const howMany = 10
/** 60 random bits: three groups of four. */
const codeLength = 12

/**
 * @returns the codes to show once, and what is stored of them; null while too many passwords wait
 * to be hashed.
 */
export async function makeRecoveryCodes() {
  const recoverySalt = randomBytes(16).toString('base64url')
  const codes = Array.from({ length: howMany }, () =>
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
    shown: codes.map((code) => code.replace(/.{4}(?=.)/g, '$&-')),
    stored: { recoveryHashes, recoverySalt },
  }
}

/**
 * Uses a recovery code up.
 *
 * @returns true to exactly one of any number of callers with the same code; null while too many
 * passwords wait.
 */
export async function acceptRecoveryCode(
  db: Statements,
  uid: string,
  typed: string,
): Promise<boolean | null> {
  const row = await findTwoFactor(db, uid)
  const code = readCode(typed)
  if (!row || code.length !== codeLength) {
    return false
  }

  const hash = await hashWithSalt(code, row.recoverySalt)
  if (!hash) {
    return null
  }

  const { recoveryHashes } = twoFactor
  const used = await db
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

  return used.length > 0
}

/** Replaces all codes. @returns false if there is no second step. */
export async function replaceRecoveryCodes(
  db: Statements,
  uid: string,
  stored: { recoveryHashes: string[]; recoverySalt: string },
): Promise<boolean> {
  const replaced = await db
    .update(twoFactor)
    .set(stored)
    .where(and(eq(twoFactor.uid, uid), isNotNull(twoFactor.enabledAt)))
    .returning({ uid: twoFactor.uid })

  return replaced.length > 0
}

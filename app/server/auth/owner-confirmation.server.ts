import type { AccountServiceCode } from './account-codes'
import { findPasswordHash } from './account-queries.server'
import type { AccountServiceParts } from './account-service-parts.server'
import { attemptLimits } from './attempt-limits.server'
import { verifyPassword } from './passwords.server'

/** Milliseconds for which a social sign-in counts as fresh. */
export const freshSignInMs = 5 * 60_000

type CurrentSession = { uid: string; createdAt: Date }

/**
 * Makes sure that whoever asks owns the account, and not only its open browser: by its password, counted like a login, or
 * for an account without one by a session that a provider began a moment ago.
 *
 * @returns null when it is the owner, or why not.
 */
export async function confirmOwner(
  { db, attempts, turnstile }: AccountServiceParts,
  { uid, createdAt }: CurrentSession,
  password: string,
  now: number,
): Promise<AccountServiceCode | null> {
  const hash = await findPasswordHash(db, uid)
  if (!hash) return now - createdAt.getTime() <= freshSignInMs ? null : 'sign-in-again'
  const right = await turnstile.pass(uid, async () => {
    if (!(await attempts.take(attemptLimits.passwordByAccount, uid))) return null
    if (!(await verifyPassword(password, hash))) return false
    await attempts.clear(attemptLimits.passwordByAccount, uid)
    return true
  })
  if (right === null) return 'too-many-requests'
  return right ? null : 'wrong-password'
}

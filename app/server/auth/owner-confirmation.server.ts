import type { AccountServiceCode } from './account-codes'
import { findPasswordHash } from './account-queries.server'
import type { AccountServiceParts } from './account-service-parts.server'
import { attemptLimits } from './attempt-limits.server'
import { checkPassword } from './password-check.server'

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
  parts: AccountServiceParts,
  { uid, createdAt }: CurrentSession,
  password: string,
  now: number,
): Promise<AccountServiceCode | null> {
  const hash = await findPasswordHash(parts.db, uid)
  if (!hash) return now - createdAt.getTime() <= freshSignInMs ? null : 'sign-in-again'
  // A count of its own: strangers at the login lock nobody out of their own settings.
  const counted = { limit: attemptLimits.passwordByAccount, subject: `${uid} signed in`, byAddress: false }
  return checkPassword(parts, { uid, hash }, password, counted)
}

import { demoUid } from '~/server/demo-uid.server'
import type { AccountServiceCode } from '../account-codes'
import type { AccountService } from '../account-service.server'
import { attemptLimits } from '../attempt-limits.server'
import { findSession } from '../session/session.server'
import type { Visit } from '../session/visit.server'
import { type Counted, checkPassword } from './password-check.server'
import { findPasswordHash } from './password-queries.server'

/** How long a social sign-in counts as fresh, in milliseconds. */
export const freshSignInMs = 5 * 60_000

/**
 * Makes sure that whoever asks owns the account, and not only its open browser: by its password, counted like a login, or
 * for an account without one by a session that a provider began a moment ago.
 *
 * @param uid whose account the form was opened for.
 * @returns null when it is the owner, or why not.
 */
export async function confirmOwner(
  service: AccountService,
  visit: Visit,
  { uid, password }: { uid: string; password: string },
): Promise<AccountServiceCode | null> {
  const session = await findSession(service, visit)
  if (!session) return 'not-signed-in'
  if (session.userId !== uid) return 'forbidden'
  if (uid === demoUid) return 'demo-account'
  const hash = await findPasswordHash(service.db, uid)
  if (!hash) return service.now() - session.createdAt.getTime() <= freshSignInMs ? null : 'sign-in-again'
  // A separate count, so strangers at the login can't lock anyone out of their own settings.
  const counted: Counted = { limit: attemptLimits.passwordByAccount, subject: [uid, 'signed in'], byClient: false }
  return checkPassword(service, visit, { uid, hash }, password, counted)
}

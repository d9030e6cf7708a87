import type { GenericEndpointContext } from 'better-auth'
import { demoUid, findUser } from '../account-queries.server'
import { attemptLimits } from '../attempt-limits.server'
import { isNewAccount } from '../security/security-mails.server'
import { isKnownBrowser } from '../sign-in/known-browsers.server'
import type { AuthSettings } from './auth-settings.server'

/**
 * Returns whether the account's owner gets an email about this sign-in, because it comes from a
 * browser that has not signed in to the account before.
 *
 * @param passwordHash null for an account without a password
 */
export async function shouldEmailAboutNewDevice(
  { db, attempts, knownBrowsers }: AuthSettings,
  ctx: GenericEndpointContext,
  uid: string,
  passwordHash: string | null,
): Promise<boolean> {
  const user = await findUser(db, uid)
  if (!user || uid === demoUid || isNewAccount(user.createdAt)) {
    return false
  }

  if (isKnownBrowser(knownBrowsers, ctx, uid, passwordHash)) {
    return false
  }

  // An invited learner who signs in for the first time has no other browser yet.
  if (user.lastLoginAt === null) {
    return false
  }

  // The limit keeps someone who signs in again and again from flooding the owner's mailbox.
  return attempts.consume(attemptLimits.deviceMailByAccount, uid)
}

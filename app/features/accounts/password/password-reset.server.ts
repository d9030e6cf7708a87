import type { Database } from '~/server/database/client.server'
import { env } from '~/server/env.server'
import { queueMail } from '~/server/mail/outbox.server'
import type { AccountServiceCode } from '../account-errors'
import {
  demoUid,
  endSessions,
  findPasswordHash,
  findUser,
  findUserByEmail,
  recordPassword,
} from '../account-queries.server'
import type { AccountService } from '../account-service.server'
import { attemptLimits } from '../attempt-limits.server'
import { isSharedDemo } from '../demo-account.server'
import { canonicalEmail } from '../email-address/email-address.server'
import { proveOwner } from '../email-address/owner-proof.server'
import {
  consumeOneTimeToken,
  findOneTimeToken,
  revokeOneTimeTokens,
} from '../one-time-tokens.server'
import { recordSecurityEvent } from '../security/security-log.server'
import { mailPasswordChanged, mailSecurityChange } from '../security/security-mails.server'
import {
  countClientAttempt,
  type RequestContext,
  signOut,
  userAgentOf,
} from '../session/session.server'
import { rememberBrowser } from '../sign-in/browser-cookie.server'
import { isWayOpen } from '../social/organizations'
import { newPasswordRefusal } from './new-password.server'
import { hashPassword, passwordsAreFull } from './passwords.server'
import type { ResetLink } from './reset-password-page'

/** Mails a link to set a new password. @returns null, or why not. */
export async function requestPasswordReset(
  service: AccountService,
  requestContext: RequestContext,
  { email: typed }: { email: string },
): Promise<AccountServiceCode | null> {
  const { db, attempts } = service
  const email = canonicalEmail(typed)
  if (!email) {
    return 'invalid-email'
  }

  if (!isWayOpen(service.providers, email, 'password')) {
    return 'use-organization'
  }

  if (!(await countClientAttempt(service, requestContext, attemptLimits.resetByClient))) {
    return 'too-many-requests'
  }

  const user = await findUserByEmail(db, email)
  if (!user) {
    return 'user-not-found'
  }

  if (user.banned) {
    return 'user-disabled'
  }

  // No one reads the demo account's email.
  if (isSharedDemo(user.id)) {
    return 'demo-account'
  }

  if (!(await attempts.take(attemptLimits.resetByAccount, user.id))) {
    return 'too-many-requests'
  }

  await queueMail(db, user.id, 'reset')
  service.mailQueued()

  return null
}

/** @returns the purpose of a mailed link's page. */
export async function findResetLink(db: Database, token: string): Promise<ResetLink> {
  const uid = await findOneTimeToken(db, 'reset-password', token)
  if (!uid) {
    return { state: 'expired' }
  }

  return {
    state: 'usable',
    token,
    hasPassword: (await findPasswordHash(db, uid)) !== null,
    minLength: env.PASSWORD_MIN_LENGTH,
  }
}

/**
 * Sets the password by a mailed link, and ends every session and every other link.
 *
 * @returns null, or why not.
 */
export async function setNewPassword(
  service: AccountService,
  requestContext: RequestContext,
  { token, password }: { token: string; password: string },
): Promise<AccountServiceCode | null> {
  const { db, attempts } = service
  if (passwordsAreFull()) {
    return 'busy'
  }

  const uid = await findOneTimeToken(db, 'reset-password', token)
  const user = uid ? await findUser(db, uid) : null
  if (!user) {
    return 'link-expired'
  }

  if (user.id === demoUid) {
    return 'demo-account'
  }

  if (user.banned) {
    return 'user-disabled'
  }

  if (!isWayOpen(service.providers, user.email, 'password')) {
    return 'use-organization'
  }

  const weak = await newPasswordRefusal(password, user)
  if (weak) {
    return weak
  }

  const hash = await hashPassword(password)
  if (!hash) {
    return 'busy'
  }

  const former = await findPasswordHash(db, user.id)
  const changed = await db.transaction(async (tx) => {
    if (!(await consumeOneTimeToken(tx, 'reset-password', token))) {
      return false
    }

    // Locks the account first, like a sign-in that is under way.
    await proveOwner(tx, user.id)
    await recordPassword(tx, user.id, hash)
    await endSessions(tx, user.id)
    await revokeOneTimeTokens(tx, user.id)
    if (former) {
      await mailPasswordChanged(tx, user.id)
    } else if (user.lastLoginAt) {
      // An invitation or an account without a sign-in has nothing to protect yet.
      await mailSecurityChange(tx, user.id, 'password-added')
    }

    await recordSecurityEvent(tx, user.id, {
      kind: 'password-reset',
      userAgent: userAgentOf(requestContext),
    })

    return true
  })

  if (!changed) {
    return 'link-expired'
  }

  service.mailQueued()
  await attempts.clear(attemptLimits.passwordByAccount, user.id)
  // Wrong passwords of strangers don't lock this browser out, because it is known from now on.
  await rememberBrowser(service, requestContext, user.id, hash)

  return signOut(service, requestContext)
}

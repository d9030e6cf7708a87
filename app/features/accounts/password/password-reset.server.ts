/**
 * Sets a new password by an emailed link.
 *
 * The new password, the end of every session and link, the security log and the email about the
 * change are written in one transaction that locks the account first. So a stranger's session or
 * link never outlives a reset. better-auth's `resetPassword` breaks this promise: it uses the token
 * up, sets the password and ends the sessions in separate statements, and a sign-in that is under
 * way in between survives. It also stores links in clear text by default.
 */
import type { Database } from '~/server/database/client.server'
import { env } from '~/server/env.server'
import { queueMail } from '~/server/mail/outbox.server'
import type { AccountErrorCode } from '../account-errors'
import {
  demoUid,
  endSessions,
  findUser,
  findUserByEmail,
  type UserRow,
} from '../account-queries.server'
import type { AccountService } from '../account-service.server'
import { attemptLimits } from '../attempt-limits.server'
import { isSharedDemo } from '../demo-account.server'
import { toCanonicalEmail } from '../email-address/email-address.server'
import { recordEmailArrival, recordOwnerProof } from '../email-address/owner-proof.server'
import {
  consumeOneTimeToken,
  findOneTimeToken,
  revokeOneTimeTokens,
} from '../one-time-tokens.server'
import { recordSecurityEvent } from '../security/security-log.server'
import { mailPasswordChanged, mailSecurityChange } from '../security/security-mails.server'
import {
  consumeClientAttempts,
  getUserAgent,
  type RequestContext,
} from '../session/request-context.server'
import { beginSession, signOut } from '../session/session.server'
import { recordKnownBrowser } from '../sign-in/browser-cookie.server'
import { safeRedirect, secondStepUrl } from '../sign-in/sign-in-urls'
import { isSignInMethodAllowed } from '../social/allowed-sign-in-methods'
import { checkNewPassword } from './new-password.server'
import { findPasswordHash, recordPassword } from './password-queries.server'
import { hashPassword, isPasswordQueueFull } from './passwords.server'
import type { ResetLink } from './reset-password-page'

/**
 * Emails a link to set a new password.
 *
 * @returns null, or why the request is refused
 */
export async function requestPasswordReset(
  service: AccountService,
  requestContext: RequestContext,
  { email: submittedEmail }: { email: string },
): Promise<AccountErrorCode | null> {
  const { db, attempts } = service
  const email = toCanonicalEmail(submittedEmail)
  if (!email) {
    return 'invalid-email'
  }

  if (!isSignInMethodAllowed(service.providers, email, 'password')) {
    return 'use-organization'
  }

  if (!(await consumeClientAttempts(service, requestContext, attemptLimits.resetByClient))) {
    return 'too-many-requests'
  }

  const user = await findUserByEmail(db, email)
  if (!user) {
    return 'user-not-found'
  }

  if (user.banned) {
    return 'user-disabled'
  }

  // Nobody reads the demo account's email.
  if (isSharedDemo(user.id)) {
    return 'demo-account'
  }

  if (!(await attempts.consume(attemptLimits.resetByAccount, user.id))) {
    return 'too-many-requests'
  }

  await queueMail(db, user.id, 'reset')
  service.wakeEmailSender()

  return null
}

/** Returns what the page behind an emailed link has to show. */
export async function findPasswordResetLink(db: Database, token: string): Promise<ResetLink> {
  const uid = await findOneTimeToken(db, 'reset-password', token)
  if (!uid) {
    return { status: 'expired' }
  }

  return {
    status: 'usable',
    token,
    hasPassword: (await findPasswordHash(db, uid)) !== null,
    minLength: env.PASSWORD_MIN_LENGTH,
  }
}

/** Why a new password is refused, or the page that follows. */
type NewPasswordOutcome = { error: AccountErrorCode } | { nextUrl: string }

/**
 * Sets the password by an emailed link, and ends every session and every other link.
 *
 * An account's first password signs the learner in: they were invited and have just chosen it. A
 * replaced password asks for a sign-in, because the learner has to remember the new one.
 */
export async function setPasswordByLink(
  service: AccountService,
  requestContext: RequestContext,
  { token, password }: { token: string; password: string },
): Promise<NewPasswordOutcome> {
  const { db, attempts } = service
  if (isPasswordQueueFull()) {
    return { error: 'busy' }
  }

  const uid = await findOneTimeToken(db, 'reset-password', token)
  const user = uid ? await findUser(db, uid) : null
  if (!user) {
    return { error: 'link-expired' }
  }

  const error = checkCanResetPassword(service, user) ?? (await checkNewPassword(password, user))
  if (error) {
    return { error }
  }

  const passwordHash = await hashPassword(password)
  if (!passwordHash) {
    return { error: 'busy' }
  }

  const userAgent = getUserAgent(requestContext)
  const previousPasswordHash = await findPasswordHash(db, user.id)
  const newPassword = { token, passwordHash, previousPasswordHash, userAgent }
  const isReset = await writeNewPassword(db, user, newPassword)
  if (!isReset) {
    return { error: 'link-expired' }
  }

  service.wakeEmailSender()
  await attempts.clear(attemptLimits.wrongPasswordByAccount, user.id)
  // From now on the account knows this browser, so wrong passwords of strangers don't lock it out.
  await recordKnownBrowser(service, requestContext, user.id, passwordHash)

  if (previousPasswordHash === null) {
    return signInWithFirstPassword(service, requestContext, { uid: user.id, passwordHash })
  }

  await signOut(service, requestContext)

  return { nextUrl: passwordChangedUrl }
}

const passwordChangedUrl = '/Login?notice=password-changed'

/** Signs the browser in under the rules of every sign-in, so that a second step is asked for. */
async function signInWithFirstPassword(
  service: AccountService,
  requestContext: RequestContext,
  { uid, passwordHash }: { uid: string; passwordHash: string },
): Promise<NewPasswordOutcome> {
  const sessionError = await beginSession(service, requestContext, {
    uid,
    signInMethod: 'password',
    proof: { passwordHash },
    rememberMe: false,
  })
  const homeUrl = safeRedirect(null)
  if (sessionError === null) {
    return { nextUrl: homeUrl }
  }

  // The browser may still be signed in to another account.
  await signOut(service, requestContext)

  return { nextUrl: sessionError === 'second-step' ? secondStepUrl(homeUrl) : passwordChangedUrl }
}

function checkCanResetPassword(
  { providers }: AccountService,
  user: UserRow,
): AccountErrorCode | null {
  if (user.id === demoUid) {
    return 'demo-account'
  }

  if (user.banned) {
    return 'user-disabled'
  }

  return isSignInMethodAllowed(providers, user.email, 'password') ? null : 'use-organization'
}

type NewPassword = {
  token: string
  passwordHash: string
  /** Null if this is the account's first password. */
  previousPasswordHash: string | null
  userAgent: string
}

/** @returns false if the link was used or revoked meanwhile */
async function writeNewPassword(
  db: Database,
  user: UserRow,
  { token, passwordHash, previousPasswordHash, userAgent }: NewPassword,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    if (!(await consumeOneTimeToken(tx, 'reset-password', token))) {
      return false
    }

    // This locks the account first, as a sign-in does.
    await recordOwnerProof(tx, user.id)
    await recordEmailArrival(tx, user.id)
    await recordPassword(tx, user.id, passwordHash)
    await endSessions(tx, user.id)
    await revokeOneTimeTokens(tx, user.id)

    // An invited account, or one that nobody has signed in to, has nothing to protect yet.
    if (previousPasswordHash) {
      await mailPasswordChanged(tx, user.id)
    } else if (user.lastLoginAt) {
      await mailSecurityChange(tx, user.id, 'password-added')
    }

    await recordSecurityEvent(tx, user.id, { kind: 'password-reset', userAgent })

    return true
  })
}

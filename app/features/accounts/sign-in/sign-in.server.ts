/**
 * Signs in by email and password.
 *
 * This module replaces better-auth's `signInEmail`, which has three properties that the product
 * must not have:
 * - It refuses valid emails like `jörg@example.com` and `ivan@example.xn--p1ai`.
 * - It has the same error for unknown emails and wrong passwords. The specification requires one
 *   error for each, although strangers can then find out which emails have accounts.
 * - It limits attempts by IP address only. An attacker with many IP addresses could keep guessing
 *   the password of one account, and a class that shares one IP address could not sign in.
 *
 * A "client" is the network of an IP address. The limit of a client counts only wrong passwords and
 * unknown emails, so that a class can sign in together.
 */
import type { AccountErrorCode } from '../account-errors'
import type { AccountService } from '../account-service.server'
import { attemptLimits } from '../attempt-limits.server'
import { isSharedDemo } from '../demo-account.server'
import { toCanonicalEmail } from '../email-address/email-address.server'
import { checkPassword, type PasswordLimits } from '../password/password-check.server'
import { findPasswordAccount, type PasswordAccount } from '../password/password-queries.server'
import { isPasswordQueueFull } from '../password/passwords.server'
import {
  consumeClientAttempts,
  createClientAttempt,
  type RequestContext,
} from '../session/request-context.server'
import { beginSession } from '../session/session.server'
import { isSignInMethodAllowed } from '../social/allowed-sign-in-methods'
import { findKnownBrowser, recordKnownBrowser } from './browser-cookie.server'

type Credentials = {
  email: string
  password: string
  /** Whether the browser stays signed in after it is closed. */
  rememberMe?: boolean
}

/**
 * @returns null if the browser is signed in, otherwise the error. Where the account needs a second
 *   factor, the error is `second-step`.
 */
export async function signIn(
  service: AccountService,
  requestContext: RequestContext,
  { email: submittedEmail, password, rememberMe = false }: Credentials,
): Promise<AccountErrorCode | null> {
  const email = toCanonicalEmail(submittedEmail)
  if (!email) {
    return 'invalid-email'
  }

  if (!isSignInMethodAllowed(service.providers, email, 'password')) {
    return 'use-organization'
  }

  if (isPasswordQueueFull()) {
    return 'busy'
  }

  const account = await findPasswordAccount(service.db, email)
  if (!account) {
    return refuseUnknownEmail(service, requestContext)
  }

  const passwordError = await checkSignInPassword(service, requestContext, account, password)
  if (passwordError) {
    return passwordError
  }

  if (account.isDisabled) {
    return 'user-disabled'
  }

  const { uid, passwordHash } = account
  // `checkPassword` refuses every password for an account that has none.
  if (passwordHash === null) {
    throw new Error('An account without a password passed the check of its password.')
  }

  const sessionError = await beginSession(service, requestContext, {
    uid,
    signInMethod: 'password',
    // The session begins only if the password has not been changed meanwhile.
    proof: { passwordHash },
    // Strangers share the demo account, so no browser stays signed in to it.
    rememberMe: rememberMe && !isSharedDemo(uid),
  })
  if (sessionError) {
    return sessionError
  }

  // From now on, wrong passwords from this browser are counted apart.
  await recordKnownBrowser(service, requestContext, uid, passwordHash)

  return null
}

/** An unknown email counts like a wrong password, so that nobody can try many emails. */
async function refuseUnknownEmail(
  service: AccountService,
  requestContext: RequestContext,
): Promise<AccountErrorCode> {
  const { wrongPasswordByClient } = attemptLimits
  const isWithinLimit = await consumeClientAttempts(service, requestContext, wrongPasswordByClient)

  return isWithinLimit ? 'user-not-found' : 'too-many-requests'
}

/** Checks the password, unless a limit of wrong passwords or of sign-ins is exceeded. */
async function checkSignInPassword(
  service: AccountService,
  requestContext: RequestContext,
  account: PasswordAccount,
  password: string,
): Promise<AccountErrorCode | null> {
  const { uid } = account
  const wrongPasswordLimits = await chooseWrongPasswordLimits(service, requestContext, account)
  const signInAttempt = createClientAttempt(
    requestContext,
    attemptLimits.signInByAccountAndClient,
    uid,
  )

  // The right password counts as an attempt, which limits how many sessions a client can start and
  // how often a password is compared. The latter matters for a disabled account, too.
  const limits = { ...wrongPasswordLimits, attemptsOnSuccess: [signInAttempt] }

  return checkPassword(service, requestContext, { account, password, limits })
}

/**
 * Wrong passwords from a browser that the account knows are counted apart from those of strangers,
 * so that strangers cannot lock the account's owner out.
 */
async function chooseWrongPasswordLimits(
  service: AccountService,
  requestContext: RequestContext,
  { uid, passwordHash }: PasswordAccount,
): Promise<PasswordLimits> {
  if (passwordHash !== null) {
    const browserId = await findKnownBrowser(service, requestContext, uid, passwordHash)
    if (browserId !== null) {
      return {
        limit: attemptLimits.wrongPasswordByBrowser,
        subject: [uid, browserId],
        shouldCountForClient: false,
      }
    }
  }

  return { limit: attemptLimits.wrongPasswordByAccount, subject: uid, shouldCountForClient: true }
}

/**
 * Signs in by email and password.
 *
 * better-auth's `signInEmail` is not used, because it would break three promises: it refuses valid
 * emails like `jörg@example.com` and `ivan@example.xn--p1ai`, it has one error for unknown emails and
 * wrong passwords, which the specification tells apart, and its limits count by IP address only, so
 * an attacker with many IP addresses could guess on, and a class behind one could not sign in.
 */
import type { AccountErrorCode } from '../account-errors'
import { findPasswordAccount } from '../account-queries.server'
import type { AccountService } from '../account-service.server'
import { attemptLimits } from '../attempt-limits.server'
import { isSharedDemo } from '../demo-account.server'
import { canonicalEmail } from '../email-address/email-address.server'
import {
  type CountedAttempt,
  checkPassword,
  isPasswordQueueFull,
} from '../password/passwords.server'
import {
  beginSession,
  consumeClientAttempts,
  createClientAttempt,
  type RequestContext,
} from '../session/session.server'
import { isSignInMethodAllowed } from '../social/allowed-sign-in-methods'
import { findKnownBrowser, rememberBrowser } from './browser-cookie.server'

type Credentials = { email: string; password: string; rememberMe?: boolean }

/** @returns null if the browser is signed in, otherwise the error */
export async function signIn(
  service: AccountService,
  requestContext: RequestContext,
  { email: submittedEmail, password, rememberMe = false }: Credentials,
): Promise<AccountErrorCode | null> {
  const email = canonicalEmail(submittedEmail)
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
    const { passwordByClient } = attemptLimits
    const isWithinLimit = await consumeClientAttempts(service, requestContext, passwordByClient)
    return isWithinLimit ? 'user-not-found' : 'too-many-requests'
  }

  const passwordError = await checkSignInPassword(service, requestContext, account, password)
  if (passwordError) {
    return passwordError
  }

  const { uid, banned: isDisabled, hash } = account
  // A password only passes the check if the account has one.
  if (!hash) {
    return 'wrong-password'
  }

  if (isDisabled) {
    return 'user-disabled'
  }

  const sessionError = await beginSession(service, requestContext, {
    uid,
    signInMethod: 'password',
    proof: { hash },
    rememberMe: rememberMe && !isSharedDemo(uid),
  })
  if (sessionError) {
    return sessionError
  }

  await rememberBrowser(service, requestContext, uid, hash)

  return null
}

/**
 * Checks the password. Wrong passwords from a browser that the account knows are counted apart from
 * those of strangers, so that strangers cannot lock the account's owner out.
 */
async function checkSignInPassword(
  service: AccountService,
  requestContext: RequestContext,
  account: { uid: string; banned: boolean; hash: string | null },
  password: string,
): Promise<AccountErrorCode | null> {
  const { uid, banned: isDisabled, hash } = account
  const { passwordByAccount, passwordByBrowser, signInByAccount } = attemptLimits
  const browser = hash && (await findKnownBrowser(service, requestContext, uid, hash))

  const countedAttempt: CountedAttempt = {
    ...(browser
      ? { limit: passwordByBrowser, subject: [uid, browser], countsForClient: false }
      : { limit: passwordByAccount, subject: uid, countsForClient: true }),
    onSuccess: isDisabled ? [] : [createClientAttempt(requestContext, signInByAccount, uid)],
  }

  return checkPassword(service, requestContext, account, password, countedAttempt)
}

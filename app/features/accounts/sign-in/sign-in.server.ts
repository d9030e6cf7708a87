import type { AccountServiceCode } from '../account-errors'
import { findPasswordAccount } from '../account-queries.server'
import type { AccountService } from '../account-service.server'
import { attemptLimits } from '../attempt-limits.server'
import { isSharedDemo } from '../demo-account.server'
import { canonicalEmail } from '../email-address/email-address.server'
import { type Counted, checkPassword, passwordsAreFull } from '../password/passwords.server'
import {
  beginSession,
  clientAttempt,
  countClientAttempt,
  type RequestContext,
} from '../session/session.server'
import { isWayOpen } from '../social/organizations'
import { findKnownBrowser, rememberBrowser } from './browser-cookie.server'

export type Credentials = { email: string; password: string; rememberMe?: boolean }

/** Signs the browser in by email and password. @returns null, or why not. */
export async function signIn(
  service: AccountService,
  requestContext: RequestContext,
  { email: typed, password, rememberMe = false }: Credentials,
): Promise<AccountServiceCode | null> {
  const { db } = service
  const email = canonicalEmail(typed)
  if (!email) {
    return 'invalid-email'
  }

  if (!isWayOpen(service.providers, email, 'password')) {
    return 'use-organization'
  }

  if (passwordsAreFull()) {
    return 'busy'
  }

  const account = await findPasswordAccount(db, email)
  if (!account) {
    const within = await countClientAttempt(service, requestContext, attemptLimits.passwordByClient)
    return within ? 'user-not-found' : 'too-many-requests'
  }

  const { uid, banned, hash } = account
  const browser = hash && (await findKnownBrowser(service, requestContext, uid, hash))
  const counted: Counted = {
    ...(browser
      ? { limit: attemptLimits.passwordByBrowser, subject: [uid, browser], byClient: false }
      : { limit: attemptLimits.passwordByAccount, subject: uid, byClient: true }),
    right: banned ? [] : [clientAttempt(requestContext, attemptLimits.signInByAccount, uid)],
  }
  const refused = await checkPassword(service, requestContext, account, password, counted)
  if (refused || !hash) {
    return refused ?? 'wrong-password'
  }

  if (banned) {
    return 'user-disabled'
  }

  const signIn = {
    uid,
    way: 'password',
    proof: { hash },
    rememberMe: rememberMe && !isSharedDemo(uid),
  }
  const refusedSession = await beginSession(service, requestContext, signIn)
  if (refusedSession) {
    return refusedSession
  }

  await rememberBrowser(service, requestContext, uid, hash)

  return null
}

import type { AccountServiceCode } from '../account-codes'
import type { AccountService } from '../account-service.server'
import { attemptLimits } from '../attempt-limits.server'
import { isSharedDemo } from '../demo/shared-demo.server'
import { looksLikeEmail } from '../email-address/looks-like-email'
import { type Counted, checkPassword } from '../password/password-check.server'
import { findPasswordAccount } from '../password/password-queries.server'
import { passwordsAreFull } from '../password/passwords.server'
import { beginSession } from '../session/session.server'
import { clientAttempt, countClientAttempt, type Visit } from '../session/visit.server'
import { findKnownBrowser, rememberBrowser } from './known-browser-cookie.server'

export type Credentials = { email: string; password: string; rememberMe?: boolean }

/** Signs the browser in by email and password. @returns null, or why not. */
export async function signIn(
  service: AccountService,
  visit: Visit,
  { email, password, rememberMe = false }: Credentials,
): Promise<AccountServiceCode | null> {
  const { db } = service
  if (!looksLikeEmail(email)) return 'invalid-email'
  if (passwordsAreFull()) return 'busy'
  const account = await findPasswordAccount(db, email)
  if (!account) {
    const within = await countClientAttempt(service, visit, attemptLimits.passwordByClient)
    return within ? 'user-not-found' : 'too-many-requests'
  }
  const { uid, banned, hash } = account
  const browser = hash && (await findKnownBrowser(service, visit, uid, hash))
  const counted: Counted = {
    ...(browser
      ? { limit: attemptLimits.passwordByBrowser, subject: [uid, browser], byClient: false }
      : { limit: attemptLimits.passwordByAccount, subject: uid, byClient: true }),
    right: banned ? [] : [clientAttempt(visit, attemptLimits.signInByAccount, uid)],
  }
  const refused = await checkPassword(service, visit, account, password, counted)
  if (refused || !hash) return refused ?? 'wrong-password'
  if (banned) return 'user-disabled'
  const ended = await beginSession(service, visit, { uid, hash, rememberMe: rememberMe && !isSharedDemo(uid) })
  if (ended) return ended
  await rememberBrowser(service, visit, uid, hash)
  return null
}

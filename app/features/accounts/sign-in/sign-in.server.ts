import { eq } from 'drizzle-orm'
import { sessions } from '~/server/database/schema/index'
import type { AccountServiceCode } from '../account-codes'
import { findUserByEmail, type UserRow } from '../account-queries.server'
import type { AccountService } from '../account-service.server'
import { attemptLimits } from '../attempt-limits.server'
import { isSharedDemo } from '../demo/shared-demo.server'
import { looksLikeEmail } from '../email-address/looks-like-email'
import { type Counted, checkPassword } from '../password/password-check.server'
import { findPasswordHash, isPasswordUnchanged } from '../password/password-queries.server'
import { passwordsAreFull } from '../password/passwords.server'
import { signOut } from '../session/session.server'
import { handOnCookies } from '../session/session-cookies.server'
import { countClientAttempt, type Visit } from '../session/visit.server'
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
  const user = await findUserByEmail(db, email)
  if (!user) {
    const within = await countClientAttempt(service, visit, attemptLimits.passwordByClient)
    return within ? 'user-not-found' : 'too-many-requests'
  }
  const hash = await findPasswordHash(db, user.id)
  const browser = hash && (await findKnownBrowser(service, visit, user.id, hash))
  const counted: Counted = browser
    ? { limit: attemptLimits.passwordByBrowser, subject: [user.id, browser], byClient: false }
    : { limit: attemptLimits.passwordByAccount, subject: user.id, byClient: true }
  const refused = await checkPassword(service, visit, { uid: user.id, hash }, password, counted)
  if (refused || !hash) return refused ?? 'wrong-password'
  if (user.banned) return 'user-disabled'
  if (!(await countClientAttempt(service, visit, attemptLimits.signInByAccount, user.id))) return 'too-many-requests'
  return beginPasswordSession(service, visit, user, { hash, rememberMe: rememberMe && !isSharedDemo(user.id) })
}

/** @returns null, or the refusal if the password was changed or taken away (see `proveOwner`) since it was checked. */
export async function beginPasswordSession(
  service: AccountService,
  visit: Visit,
  user: UserRow,
  { hash, rememberMe }: { hash: string; rememberMe: boolean },
): Promise<AccountServiceCode | null> {
  const { db, auth } = service
  const begun = await auth.api.beginSession({
    body: { user, rememberMe },
    headers: visit.headers,
    returnHeaders: true,
  })
  if (await isPasswordUnchanged(db, user.id, hash)) {
    await handOnCookies(service, begun.headers, visit.cookies)
    await rememberBrowser(service, visit, user.id, hash)
    return null
  }
  await db.delete(sessions).where(eq(sessions.token, begun.response.token))
  await signOut(service, visit)
  return 'wrong-password'
}

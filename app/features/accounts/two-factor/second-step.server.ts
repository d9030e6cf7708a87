import type { AccountServiceCode } from '../account-errors'
import { findPasswordHash } from '../account-queries.server'
import type { AccountService } from '../account-service.server'
import { attemptLimits } from '../attempt-limits.server'
import { createOneTimeToken, findOneTimeToken } from '../one-time-tokens.server'
import { recordSecurityEvent } from '../security/security-log.server'
import { mailSecurityChange } from '../security/security-mails.server'
import { beginSession, type RequestContext, userAgentOf } from '../session/session.server'
import { findBrowserOf, rememberBrowser } from '../sign-in/browser-cookie.server'
import { acceptAppCode } from './authenticator-app.server'
import { acceptRecoveryCode } from './recovery-codes.server'
import { clearSecondStep, readSecondStep, setSecondStep } from './second-step-cookie.server'

/** The second step follows a sign-in by a provider that was held. */
export async function beginSecondStep(
  service: AccountService,
  cookies: Headers,
  uid: string,
  way: string,
) {
  const token = await createOneTimeToken(service.db, 'second-step', uid)
  await setSecondStep(service, cookies, { token, way, rememberMe: true })
}

/** @returns whose second step the browser is at; null if it is at none, or it took too long. */
export async function findSecondStep(
  service: AccountService,
  headers: Headers,
): Promise<string | null> {
  const step = await readSecondStep(service, headers)
  return step && findOneTimeToken(service.db, 'second-step', step.token)
}

/** Ends the sign-in with a code of the app or a recovery code. @returns null, or why not. */
export async function takeSecondStep(
  service: AccountService,
  requestContext: RequestContext,
  { code }: { code: string },
): Promise<AccountServiceCode | null> {
  const { db } = service
  const step = await readSecondStep(service, requestContext.headers)
  const uid = step && (await findOneTimeToken(db, 'second-step', step.token))
  if (!uid) {
    return 'second-step-over'
  }

  const refused = await checkCode(service, requestContext, uid, code, 'sign-in')
  if (refused) {
    return refused
  }

  const { way, rememberMe, token } = step
  const ended = await beginSession(service, requestContext, {
    uid,
    way,
    rememberMe,
    proof: { secondStep: token },
  })

  if (ended) {
    return ended
  }

  await clearSecondStep(service, requestContext.cookies)
  await rememberBrowser(service, requestContext, uid, (await findPasswordHash(db, uid)) ?? '')

  return null
}

/** Six digits are a code of the app; anything else is a recovery code. */
const appCode = /^\d{6}$/

/**
 * Uses up a code of the account. Counted before it is compared, so that parallel attempts can't
 * slip through.
 *
 * @param where counts attempts at the sign-in apart from those in the settings, so that strangers
 * can't block the settings.
 * @returns null if it is right, or the refusal.
 */
export async function checkCode(
  service: AccountService,
  requestContext: RequestContext,
  uid: string,
  typed: string,
  where: 'sign-in' | 'signed in',
): Promise<AccountServiceCode | null> {
  const { db, attempts } = service
  const digits = typed.replace(/\s/g, '')
  const isOfApp = appCode.test(digits)
  // Known browsers have their own count, so that strangers with the password can't use up the
  // learner's attempts.
  const browser = await findBrowserOf(service, requestContext, uid)
  const subject = [uid, [isOfApp ? 'app' : 'recovery', where, browser].join(' ')] as const
  if (!(await attempts.take(attemptLimits.signInCodeByAccount, subject))) {
    return 'too-many-requests'
  }

  const accepted = isOfApp
    ? await acceptAppCode(service, uid, digits)
    : await acceptRecoveryCode(db, uid, typed)
  if (accepted === null) {
    await attempts.giveBack(attemptLimits.signInCodeByAccount, subject)
    return 'busy'
  }

  const userAgent = userAgentOf(requestContext)
  if (!accepted) {
    await recordSecurityEvent(db, uid, { kind: 'wrong-code', userAgent })
    return 'wrong-code'
  }

  await attempts.clear(attemptLimits.signInCodeByAccount, subject)
  if (isOfApp) {
    return null
  }

  await db.transaction(async (tx) => {
    await recordSecurityEvent(tx, uid, { kind: 'recovery-code-used', userAgent })
    await mailSecurityChange(tx, uid, 'recovery-code-used')
  })
  service.mailQueued()

  return null
}

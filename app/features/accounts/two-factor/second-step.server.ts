/**
 * The second step of a sign-in: a code of the authenticator app, or a recovery code.
 *
 * After the first step, the browser has a cookie with a one-time token instead of a session. A right
 * code ends the sign-in. A changed password or a disabled account ends the second step as well.
 * better-auth's plugin `two-factor` breaks the promise that every sign-in method except a passkey
 * requires the second step: it only handles sign-ins by password.
 */
import type { AccountErrorCode } from '../account-errors'
import { findPasswordHash } from '../account-queries.server'
import type { AccountService } from '../account-service.server'
import { attemptLimits } from '../attempt-limits.server'
import { createOneTimeToken, findOneTimeToken } from '../one-time-tokens.server'
import { recordSecurityEvent } from '../security/security-log.server'
import { mailSecurityChange } from '../security/security-mails.server'
import { beginSession, getUserAgent, type RequestContext } from '../session/session.server'
import { findKnownBrowserByAccount, rememberBrowser } from '../sign-in/browser-cookie.server'
import { isIncompleteAppCode, parseAppCode } from './app-code'
import { consumeAppCode } from './authenticator-app.server'
import { consumeRecoveryCode } from './recovery-codes.server'
import { clearSecondStep, readSecondStep, setSecondStep } from './second-step-cookie.server'

/** Starts the second step after a sign-in by a provider. */
export async function startSecondStep(
  service: AccountService,
  responseCookies: Headers,
  uid: string,
  providerId: string,
): Promise<void> {
  const token = await createOneTimeToken(service.db, 'second-step', uid)
  const secondStep = { token, signInMethod: providerId, rememberMe: true }
  await setSecondStep(service, responseCookies, secondStep)
}

/**
 * Returns the uid of the account whose second step the browser has to pass, or null if there is none
 * or its time is over.
 */
export async function findSecondStep(
  service: AccountService,
  requestHeaders: Headers,
): Promise<string | null> {
  const step = await readSecondStep(service, requestHeaders)
  return step && findOneTimeToken(service.db, 'second-step', step.token)
}

/**
 * Completes the sign-in with a code of the app or a recovery code.
 *
 * @returns null, or why the sign-in is refused
 */
export async function completeSecondStep(
  service: AccountService,
  requestContext: RequestContext,
  { code }: { code: string },
): Promise<AccountErrorCode | null> {
  const { db } = service
  const step = await readSecondStep(service, requestContext.headers)
  const uid = step && (await findOneTimeToken(db, 'second-step', step.token))
  if (!uid) {
    return 'second-step-over'
  }

  const codeError = await checkSecondStepCode(service, requestContext, uid, code, 'sign-in')
  if (codeError) {
    return codeError
  }

  const { signInMethod, rememberMe, token } = step
  const sessionError = await beginSession(service, requestContext, {
    uid,
    signInMethod,
    rememberMe,
    proof: { secondStep: token },
  })
  if (sessionError) {
    return sessionError
  }

  await clearSecondStep(service, requestContext.responseCookies)
  const passwordHash = (await findPasswordHash(db, uid)) ?? ''
  await rememberBrowser(service, requestContext, uid, passwordHash)

  return null
}

/**
 * Checks a code of the account and uses it up. Six digits are a code of the app. An incomplete one is
 * no attempt, and anything else is a recovery code. The attempt is counted before the code is compared,
 * so that parallel attempts cannot exceed the limit.
 *
 * @param purpose counts attempts at the sign-in apart from those in the settings, so that strangers
 *   cannot block the settings
 * @returns null if the code is right, otherwise the error
 */
export async function checkSecondStepCode(
  service: AccountService,
  requestContext: RequestContext,
  uid: string,
  submittedCode: string,
  purpose: 'sign-in' | 'signed in',
): Promise<AccountErrorCode | null> {
  const { db, attempts } = service
  if (isIncompleteAppCode(submittedCode)) {
    return 'incomplete-code'
  }

  const appCode = parseAppCode(submittedCode)

  // Known browsers have a count of their own, so that strangers who know the password cannot use up
  // the learner's attempts.
  const browser = await findKnownBrowserByAccount(service, requestContext, uid)
  const part = [appCode !== null ? 'app' : 'recovery', purpose, browser].join(' ')
  const subject = [uid, part] as const
  if (!(await attempts.consume(attemptLimits.signInCodeByAccount, subject))) {
    return 'too-many-requests'
  }

  const isAccepted =
    appCode === null
      ? await consumeRecoveryCode(db, uid, submittedCode)
      : await consumeAppCode(service, uid, appCode)
  if (isAccepted === null) {
    await attempts.giveBack(attemptLimits.signInCodeByAccount, subject)
    return 'busy'
  }

  const userAgent = getUserAgent(requestContext)
  if (!isAccepted) {
    await recordSecurityEvent(db, uid, { kind: 'wrong-code', userAgent })
    return 'wrong-code'
  }

  await attempts.clear(attemptLimits.signInCodeByAccount, subject)
  if (appCode === null) {
    await reportRecoveryCodeUse(service, uid, userAgent)
  }

  return null
}

async function reportRecoveryCodeUse(
  { db, wakeEmailSender }: AccountService,
  uid: string,
  userAgent: string,
): Promise<void> {
  await db.transaction(async (tx) => {
    await recordSecurityEvent(tx, uid, { kind: 'recovery-code-used', userAgent })
    await mailSecurityChange(tx, uid, 'recovery-code-used')
  })
  wakeEmailSender()
}

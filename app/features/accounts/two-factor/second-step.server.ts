/**
 * The second step of a sign-in: a code of the authenticator app, or a recovery code.
 *
 * After the first step, the browser has a cookie with a one-time token instead of a session. A
 * right code ends the sign-in. A changed password or a disabled account ends the second step as
 * well. better-auth's plugin `two-factor` breaks the promise that every sign-in method except a
 * passkey requires the second step: it only handles sign-ins by password.
 */
import type { AccountErrorCode } from '../account-errors'
import { findUser } from '../account-queries.server'
import type { AccountService } from '../account-service.server'
import { type AttemptSubject, attemptLimits } from '../attempt-limits.server'
import { createOneTimeToken, findOneTimeToken } from '../one-time-tokens.server'
import { findPasswordHash } from '../password/password-queries.server'
import { recordSecurityEvent } from '../security/security-log.server'
import { mailSecurityChange } from '../security/security-mails.server'
import { getUserAgent, type RequestContext } from '../session/request-context.server'
import { beginSession } from '../session/session.server'
import { findKnownBrowserByAccount, recordKnownBrowser } from '../sign-in/browser-cookie.server'
import { consumeAppCode, isIncompleteAppCode, parseAppCode } from './authenticator-app.server'
import { consumeRecoveryCode } from './recovery-codes.server'
import {
  clearSecondStepCookie,
  readSecondStepCookie,
  type SecondStep,
  setSecondStepCookie,
} from './second-step-cookie.server'

/** Starts the second step after a sign-in by a provider. */
export async function startSecondStep(
  service: AccountService,
  responseCookies: Headers,
  { uid, providerId }: { uid: string; providerId: string },
): Promise<void> {
  const token = await createOneTimeToken(service.db, 'second-step', uid)
  const secondStep = { token, signInMethod: providerId, rememberMe: true }
  await setSecondStepCookie(service, responseCookies, secondStep)
}

type OpenSecondStep = SecondStep & { uid: string }

/**
 * Returns the second step that the browser has to pass, and whose account it is. Returns null if
 * there is none, if it has expired, or if the account was disabled meanwhile.
 */
export async function findSecondStep(
  service: AccountService,
  requestHeaders: Headers,
): Promise<OpenSecondStep | null> {
  const { db } = service
  const secondStep = await readSecondStepCookie(service, requestHeaders)
  if (!secondStep) {
    return null
  }

  const uid = await findOneTimeToken(db, 'second-step', secondStep.token)
  if (!uid) {
    return null
  }

  const user = await findUser(db, uid)
  if (!user || user.banned) {
    return null
  }

  return { ...secondStep, uid }
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
  // The account is checked before the code, because a checked code does not work again.
  const secondStep = await findSecondStep(service, requestContext.headers)
  if (!secondStep) {
    return 'second-step-over'
  }

  const { uid, signInMethod, rememberMe, token } = secondStep
  const codeError = await checkSecondFactor(service, requestContext, {
    uid,
    submittedCode: code,
    purpose: 'sign-in',
  })
  if (codeError) {
    return codeError
  }

  const sessionError = await beginSession(service, requestContext, {
    uid,
    signInMethod,
    rememberMe,
    proof: { secondStepToken: token },
  })
  if (sessionError) {
    return sessionError
  }

  await clearSecondStepCookie(service, requestContext.responseCookies)
  const passwordHash = await findPasswordHash(service.db, uid)
  await recordKnownBrowser(service, requestContext, uid, passwordHash)

  return null
}

type SubmittedFactor = {
  uid: string
  submittedCode: string
  /**
   * Each purpose has its own attempts, so that strangers at the login page cannot block the
   * settings.
   */
  purpose: 'sign-in' | 'step-up'
}

/**
 * Checks and consumes a code of the account. Six digits are a code of the app, and any other text
 * is a recovery code. An incomplete code of the app does not count as an attempt.
 *
 * @returns null if the code is right, otherwise the error
 */
export async function checkSecondFactor(
  service: AccountService,
  requestContext: RequestContext,
  { uid, submittedCode, purpose }: SubmittedFactor,
): Promise<AccountErrorCode | null> {
  const { db, attempts } = service
  if (isIncompleteAppCode(submittedCode)) {
    return 'incomplete-code'
  }

  const appCode = parseAppCode(submittedCode)
  const codeKind = appCode === null ? 'recovery' : 'app'

  // Known browsers have a count of their own, so that strangers who know the password cannot use up
  // the learner's attempts.
  const knownBrowser = await findKnownBrowserByAccount(service, requestContext, uid)
  const attemptSubject: AttemptSubject = [uid, [codeKind, purpose, knownBrowser].join(' ')]

  // The attempt is counted before the comparison, so that parallel attempts cannot exceed the
  // limit.
  const isWithinLimit = await attempts.consume(attemptLimits.signInCodeByAccount, attemptSubject)
  if (!isWithinLimit) {
    return 'too-many-requests'
  }

  const result =
    appCode === null
      ? await consumeRecoveryCode(db, uid, submittedCode)
      : await consumeAppCode(service, uid, appCode)
  if (result === 'busy') {
    await attempts.giveBack(attemptLimits.signInCodeByAccount, attemptSubject)
    return 'busy'
  }

  const userAgent = getUserAgent(requestContext)
  if (result === 'wrong') {
    await recordSecurityEvent(db, uid, { kind: 'wrong-code', userAgent })
    return 'wrong-code'
  }

  await attempts.clear(attemptLimits.signInCodeByAccount, attemptSubject)
  if (codeKind === 'recovery') {
    await reportRecoveryCodeUse(service, uid, userAgent)
  }

  return null
}

/** Tells the account's owner, in the security log and by email, that a recovery code was used. */
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

/** The form 'Change password' in the settings. */
import { and, eq } from 'drizzle-orm'
import type { Transaction } from '~/server/database/client.server'
import { identities, users } from '~/server/database/schema/index'
import { env } from '~/server/env.server'
import { errorResponse, successResponse } from '~/server/http/form-response.server'
import { readForm } from '~/server/http/request-body.server'
import { type AccountErrorCode, accountErrorMessage, accountErrorStatuses } from '../account-errors'
import { demoUid, getUser } from '../account-queries.server'
import type { AccountService } from '../account-service.server'
import { type Attempt, attemptLimits } from '../attempt-limits.server'
import { accountErrorResponse } from '../form/account-error-response.server'
import { type AccountFormSuccess, checkForm } from '../form/form-result'
import { passwordChangeForm } from '../form/form-schemas'
import { revokeOneTimeTokens } from '../one-time-tokens.server'
import { endOtherDevices } from '../security/devices.server'
import { recordSecurityEvent } from '../security/security-log.server'
import { mailPasswordChanged } from '../security/security-mails.server'
import {
  createRequestContext,
  getUserAgent,
  type RequestContext,
} from '../session/request-context.server'
import { findSession } from '../session/session.server'
import { recordKnownBrowser } from '../sign-in/browser-cookie.server'
import { recordConfirmation } from '../step-up/step-up.server'
import { checkNewPassword } from './new-password.server'
import { checkPassword, createOwnerPasswordLimits } from './password-check.server'
import { findPasswordHash, passwordProviderId } from './password-queries.server'
import { hashPassword, isPasswordQueueFull } from './passwords.server'

/** The route action of 'Change password'. */
export async function submitPasswordChange(service: AccountService, request: Request) {
  const form = await readForm(request)
  const { data, errors } = checkForm(passwordChangeForm(env.PASSWORD_MIN_LENGTH), form)
  if (errors) {
    return errorResponse(errors)
  }

  const requestContext = createRequestContext(request)
  const errorCode = await changePassword(service, requestContext, data)
  const headers = requestContext.responseCookies
  if (errorCode === 'wrong-password') {
    // In other forms, this error belongs to the field `password`. Here that field has the new one.
    return errorResponse(
      { currentPassword: accountErrorMessage(errorCode) },
      { status: accountErrorStatuses[errorCode], headers },
    )
  }

  if (errorCode) {
    return accountErrorResponse(errorCode, { headers })
  }

  const notice = data.endOthers
    ? passwordChangeNotices.changedAndOthersEnded
    : passwordChangeNotices.changed

  return successResponse<AccountFormSuccess>({ notice }, { headers })
}

type PasswordChange = { currentPassword: string; password: string; endOthers: boolean }

/**
 * Changes the password of the signed-in account and emails the learner about it. Links to reset the
 * previous password stop working.
 *
 * @returns null if the password was changed, otherwise an error code
 */
export async function changePassword(
  service: AccountService,
  requestContext: RequestContext,
  { currentPassword, password, endOthers }: PasswordChange,
): Promise<AccountErrorCode | null> {
  const { db } = service
  if (isPasswordQueueFull()) {
    return 'busy'
  }

  const session = await findSession(service, requestContext)
  if (!session) {
    return 'not-signed-in'
  }

  const uid = session.userId
  if (uid === demoUid) {
    return 'demo-account'
  }

  const previousHash = await findPasswordHash(db, uid)
  if (!previousHash) {
    return 'invalid-request'
  }

  // Each change sends an email, so changes are limited like the emails with a link.
  const changeAttempt: Attempt = { limit: attemptLimits.resetByAccount, subject: [uid, 'change'] }
  const currentPasswordError = await checkPassword(service, requestContext, {
    account: { uid, passwordHash: previousHash },
    password: currentPassword,
    limits: { ...createOwnerPasswordLimits(uid), attemptsOnSuccess: [changeAttempt] },
  })
  if (currentPasswordError) {
    return currentPasswordError
  }

  const user = await getUser(db, uid)
  const newPasswordError = await checkNewPassword(password, user)
  if (newPasswordError) {
    return newPasswordError
  }

  const newHash = await hashPassword(password)
  if (!newHash) {
    return 'busy'
  }

  const isChanged = await db.transaction((tx) =>
    writeChangedPassword(tx, session, {
      previousHash,
      newHash,
      shouldEndOthers: endOthers,
      userAgent: getUserAgent(requestContext),
      now: service.now(),
    }),
  )
  if (!isChanged) {
    return 'wrong-password'
  }

  service.wakeEmailSender()
  await recordKnownBrowser(service, requestContext, uid, newHash)

  return null
}

type HashedChange = {
  previousHash: string
  newHash: string
  shouldEndOthers: boolean
  userAgent: string
  now: number
}

/**
 * Writes the new password with everything that belongs to the change. The current session counts as
 * recently confirmed, because the learner has just entered the password.
 *
 * @returns false if another request has changed the password in the meantime
 */
async function writeChangedPassword(
  tx: Transaction,
  session: { id: string; userId: string },
  { previousHash, newHash, shouldEndOthers, userAgent, now }: HashedChange,
): Promise<boolean> {
  const uid = session.userId
  const isReplaced = await replacePasswordHash(tx, uid, { previousHash, newHash })
  if (!isReplaced) {
    return false
  }

  await revokeOneTimeTokens(tx, uid, 'reset-password')
  await revokeOneTimeTokens(tx, uid, 'second-step')
  await recordConfirmation(tx, session, now)
  if (shouldEndOthers) {
    await endOtherDevices(tx, uid, session.id)
  }

  await recordSecurityEvent(tx, uid, { kind: 'password-changed', userAgent })
  await mailPasswordChanged(tx, uid)

  return true
}

/** @returns false if another request has changed the password in the meantime */
async function replacePasswordHash(
  tx: Transaction,
  uid: string,
  { previousHash, newHash }: { previousHash: string; newHash: string },
): Promise<boolean> {
  // The account is locked first, in the same order as during a sign-in.
  await tx.select({ uid: users.id }).from(users).where(eq(users.id, uid)).for('update')

  // `proven` keeps its value, because knowing the password doesn't prove that the email belongs to
  // the learner.
  const updatedRows = await tx
    .update(identities)
    .set({ password: newHash, updatedAt: new Date() })
    .where(
      and(
        eq(identities.userId, uid),
        eq(identities.providerId, passwordProviderId),
        eq(identities.password, previousHash),
      ),
    )
    .returning({ id: identities.id })

  return updatedRows.length > 0
}

const passwordChangeNotices = {
  changed: 'Your password has been changed.',
  changedAndOthersEnded: 'Your password has been changed, and all other devices are signed out.',
} as const

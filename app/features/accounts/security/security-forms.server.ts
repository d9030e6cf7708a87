/** The route actions of the section 'Security' of the settings: change the password, end sessions. */

import { and, eq } from 'drizzle-orm'
import * as z from 'zod/mini'
import type { Transaction } from '~/server/database/client.server'
import { identities, users } from '~/server/database/schema/index'
import { env } from '~/server/env.server'
import { errorResponse, successResponse } from '~/server/http/form-response.server'
import { readForm } from '~/server/http/request-body.server'
import { type AccountErrorCode, accountErrorMessage, accountErrorStatuses } from '../account-errors'
import { demoUid, findPasswordHash, getUser, passwordProviderId } from '../account-queries.server'
import type { AccountService } from '../account-service.server'
import { type Attempt, attemptLimits } from '../attempt-limits.server'
import { accountErrorResponse } from '../form/account-error-response.server'
import { type AccountFormSuccess, checkForm } from '../form/form-result'
import { passwordChangeForm } from '../form/form-schemas'
import { revokeOneTimeTokens } from '../one-time-tokens.server'
import { checkNewPassword } from '../password/new-password.server'
import { checkPassword, createOwnerPasswordLimits } from '../password/password-check.server'
import { hashPassword, isPasswordQueueFull } from '../password/passwords.server'
import {
  createRequestContext,
  getUserAgent,
  type RequestContext,
} from '../session/request-context.server'
import { findSession } from '../session/session.server'
import { recordKnownBrowser } from '../sign-in/browser-cookie.server'
import { recordConfirmation } from '../step-up/step-up.server'
import { endDevice, endOtherDevices } from './devices.server'
import { recordSecurityEvent } from './security-log.server'
import { mailPasswordChanged } from './security-mails.server'

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
    ? securityNotices.passwordChangedOthersEnded
    : securityNotices.passwordChanged

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

  const isChanged = await db.transaction(async (tx) => {
    const isReplaced = await replacePasswordHash(tx, uid, { previousHash, newHash })
    if (!isReplaced) {
      return false
    }

    await revokeOneTimeTokens(tx, uid, 'reset-password')
    await revokeOneTimeTokens(tx, uid, 'second-step')
    await recordConfirmation(tx, session, service.now())
    if (endOthers) {
      await endOtherDevices(tx, uid, session.id)
    }

    await recordSecurityEvent(tx, uid, {
      kind: 'password-changed',
      userAgent: getUserAgent(requestContext),
    })
    await mailPasswordChanged(tx, uid)

    return true
  })
  if (!isChanged) {
    return 'wrong-password'
  }

  service.wakeEmailSender()
  await recordKnownBrowser(service, requestContext, uid, newHash)

  return null
}

/** Returns false if another request has changed the password in the meantime. */
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

/** The form has two kinds of buttons: one for each device, and one for all other devices. */
const devicesForm = z.union([
  z.strictObject({ device: z.string().check(z.minLength(1), z.maxLength(200)) }),
  z.strictObject({ others: z.literal('all') }),
])

/** The route action of 'Where you’re signed in'. Ending a session that has ended is a success. */
export async function submitDevices(service: AccountService, request: Request) {
  const { data } = checkForm(devicesForm, await readForm(request))
  if (!data) {
    return accountErrorResponse('invalid-request')
  }

  const session = await findSession(service, createRequestContext(request))
  if (!session) {
    return accountErrorResponse('not-signed-in')
  }

  if ('device' in data) {
    await endDevice(service.db, session.userId, data.device)
    return successResponse<AccountFormSuccess>({ notice: securityNotices.deviceEnded })
  }

  await service.db.transaction((tx) => endOtherDevices(tx, session.userId, session.id))

  return successResponse<AccountFormSuccess>({ notice: securityNotices.othersEnded })
}

const securityNotices = {
  passwordChanged: 'Your password has been changed.',
  passwordChangedOthersEnded:
    'Your password has been changed, and all other devices are signed out.',
  deviceEnded: 'That device is signed out.',
  othersEnded: 'All other devices are signed out.',
} as const

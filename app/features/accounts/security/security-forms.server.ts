import * as z from 'zod/mini'
import { env } from '~/server/env.server'
import { errorResponse, successResponse } from '~/server/http/form-response.server'
import { readForm } from '~/server/http/request-body.server'
import { accountErrorMessage, accountServiceCodes } from '../account-errors'
import { type AccountService, refuseAccountForm } from '../account-service.server'
import { type AccountFormSuccess, checkForm } from '../form/form-result'
import { passwordChangeForm } from '../form/form-schemas'
import { findSession, openRequestContext } from '../session/session.server'
import { endDevice, endOtherDevices } from './devices.server'
import { changePassword } from './password-change.server'
import { securityNotices } from './security-messages'

/** The action of 'Change password'. */
export async function answerPasswordChange(service: AccountService, request: Request) {
  const { data, errors } = checkForm(
    passwordChangeForm(env.PASSWORD_MIN_LENGTH),
    await readForm(request),
  )
  if (errors) {
    return errorResponse(errors)
  }

  const requestContext = openRequestContext(request)
  const code = await changePassword(service, requestContext, data)
  const headers = requestContext.cookies
  if (code === 'wrong-password') {
    // Elsewhere its sentence belongs to the field `password`, which is the new one here.
    return errorResponse(
      { currentPassword: accountErrorMessage(code) },
      { status: accountServiceCodes[code], headers },
    )
  }

  if (code) {
    return refuseAccountForm(code, { headers })
  }

  const notice = data.endOthers
    ? securityNotices.passwordChangedOthersEnded
    : securityNotices.passwordChanged

  return successResponse<AccountFormSuccess>({ notice }, { headers })
}

/** Sent by one of two buttons: one device, or all others. */
const devicesForm = z.union([
  z.strictObject({ device: z.string().check(z.minLength(1), z.maxLength(200)) }),
  z.strictObject({ others: z.literal('all') }),
])

/** The action of 'Where you’re signed in'. Repeating it is harmless. */
export async function answerDevices(service: AccountService, request: Request) {
  const { data: wanted } = checkForm(devicesForm, await readForm(request))
  if (!wanted) {
    return refuseAccountForm('invalid-request')
  }

  const session = await findSession(service, openRequestContext(request))
  if (!session) {
    return refuseAccountForm('not-signed-in')
  }

  if ('device' in wanted) {
    await endDevice(service.db, session.userId, wanted.device)
    return successResponse<AccountFormSuccess>({ notice: securityNotices.deviceEnded })
  }

  await service.db.transaction((tx) => endOtherDevices(tx, session.userId, session.id))

  return successResponse<AccountFormSuccess>({ notice: securityNotices.othersEnded })
}

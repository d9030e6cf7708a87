/** The form 'Where you're signed in' in the settings, which ends sessions. */
import * as z from 'zod/mini'
import { successResponse } from '~/server/http/form-response.server'
import { readForm } from '~/server/http/request-body.server'
import type { AccountService } from '../account-service.server'
import { accountErrorResponse } from '../form/account-error-response.server'
import { type AccountFormSuccess, checkForm } from '../form/form-result'
import { createRequestContext } from '../session/request-context.server'
import { findSession } from '../session/session.server'
import { endDevice, endOtherDevices } from './devices.server'

/** The form has two kinds of buttons: one for each device, and one for all other devices. */
const devicesForm = z.union([
  z.strictObject({ device: z.string().check(z.minLength(1), z.maxLength(200)) }),
  z.strictObject({ others: z.literal('all') }),
])

/** Runs the form's route action. Ending a session that has ended is a success. */
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
    return successResponse<AccountFormSuccess>({ notice: deviceNotices.deviceEnded })
  }

  await service.db.transaction((tx) => endOtherDevices(tx, session.userId, session.id))

  return successResponse<AccountFormSuccess>({ notice: deviceNotices.othersEnded })
}

const deviceNotices = {
  deviceEnded: 'That device is signed out.',
  othersEnded: 'All other devices are signed out.',
} as const

import { env } from '~/server/env.server'
import { errorResponse } from '~/server/http/form-response.server'
import { type AccountErrorCode, accountErrorStatuses, toFormErrors } from '../account-errors'

/**
 * Returns the response that shows an account error beside the field that it concerns, and in the
 * banner.
 */
export function accountErrorResponse(
  code: AccountErrorCode,
  options: { form?: FormData; headers?: Headers } = {},
) {
  if (code === 'weak-password') {
    const errors = { password: passwordTooShort }
    return errorResponse(errors, { ...options, banner: passwordTooShort, status: 400 })
  }

  const { errors, banner } = toFormErrors(code)
  return errorResponse(errors, { ...options, banner, status: accountErrorStatuses[code] })
}

/**
 * The message contains the minimum length from the settings, which may be above the
 * specification's.
 */
const passwordTooShort = `Password should be at least ${env.PASSWORD_MIN_LENGTH} characters`

import { accountErrorMessage, logoutServiceFailure, unexpectedFailures } from '../account-errors'
import { forgetSettingsDraft } from '../settings/settings-draft'
import type { OperationResult } from './auth-provider'

export async function requestLogout(): Promise<OperationResult> {
  const headers = { 'Content-Type': 'application/json' }
  const response = await fetch('/account/logout', { method: 'POST', headers, body: '{}' }).catch(() => null)
  if (!response) return { success: false, error: accountErrorMessage('network-request-failed') }
  const answer = await response.json().catch(() => null)
  if (answer?.success === true) {
    await forgetSettingsDraft()
    return { success: true }
  }
  return { success: false, error: answer?.success === false ? logoutServiceFailure : unexpectedFailures.logout }
}

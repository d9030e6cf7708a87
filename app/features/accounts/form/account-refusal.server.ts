import { refuse } from '~/server/http/action-result.server'
import { type AccountServiceCode, accountServiceCodes, refusalOf } from '../account-errors'

/** How a form's action says why the account service refused: beside the field that it is about, and in the banner. */
export function refuseAccountForm(code: AccountServiceCode, options: { form?: FormData; headers?: Headers } = {}) {
  const { errors, banner } = refusalOf(code)
  return refuse(errors, { ...options, banner, status: accountServiceCodes[code] })
}

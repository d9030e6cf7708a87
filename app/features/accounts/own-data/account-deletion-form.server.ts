/** The form 'Delete my account' in the settings. */
import { redirect } from 'react-router'
import * as z from 'zod/mini'
import { isSubmittedWithoutScript, successResponse } from '~/server/http/form-response.server'
import { readForm } from '~/server/http/request-body.server'
import type { AccountErrorCode } from '../account-errors'
import { passwordLength } from '../account-rules'
import { accountService } from '../account-service.server'
import { accountErrorResponse } from '../form/account-error-response.server'
import { checkForm } from '../form/form-result'
import { confirmOwner } from '../password/password-check.server'
import { createRequestContext } from '../session/request-context.server'
import { signOut } from '../session/session.server'
import { type DeletionServices, deleteOwnAccount } from './account-deletion.server'

const deletionForm = z.strictObject({
  /**
   * The account that the form was displayed for. The session may belong to another one meanwhile.
   */
  uid: z.string().check(z.minLength(1), z.maxLength(200)),
  /** Accounts without a password send no field. */
  password: z._default(z.string().check(z.maxLength(passwordLength.max)), ''),
})

/**
 * Runs the route action of 'Delete my account'. Without JavaScript, it redirects to the login page,
 * or back to the settings with the error in the URL.
 */
export async function handleDeletionForm(services: DeletionServices, request: Request) {
  const { data } = checkForm(deletionForm, await readForm(request))
  if (!data) {
    return deletionErrorResponse('invalid-request')
  }

  const requestContext = createRequestContext(request)
  const ownerError = await confirmOwner(accountService, requestContext, data)
  if (ownerError) {
    return deletionErrorResponse(ownerError)
  }

  const deletionError = await deleteOwnAccount(services, data.uid)
  if (deletionError === 'only-owner') {
    return deletionErrorResponse(deletionError)
  }

  accountService.wakeEmailSender()
  await signOut(accountService, requestContext)

  return successResponse(
    {},
    { headers: requestContext.responseCookies, redirectTo: '/Login?notice=account-deleted' },
  )
}

function deletionErrorResponse(code: AccountErrorCode) {
  if (isSubmittedWithoutScript()) {
    throw redirect(`/Profile/settings?${new URLSearchParams({ refused: code })}#own-data`, 303)
  }

  return accountErrorResponse(code)
}

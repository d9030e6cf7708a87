import { type MiddlewareFunction, redirect } from 'react-router'
import type { AccountServiceCode } from '../account-errors'
import { type AccountService, accountService } from '../account-service.server'
import { findSession, openRequestContext, type RequestContext } from '../session/session.server'
import { confirmAddress } from './confirm-address'
import { isConfirmed } from './step-up.server'

/**
 * Holds a signed-in request to the rule of `step-up.server.ts`.
 *
 * @param onward the page to go on with after 'Confirm it's you'.
 * @throws a redirect to that page.
 */
export async function demandConfirmation(request: Request, onward: string): Promise<void> {
  const refused = await refuseUnconfirmed(accountService, openRequestContext(request))
  if (refused) {
    throw redirect(confirmAddress(onward), 303)
  }
}

/** Guards a signed-in route and everything beneath it. */
export const requireConfirmation: MiddlewareFunction<Response> = ({ request, url }) =>
  demandConfirmation(request, url.pathname)

/** @returns null if the request's session is confirmed, or why not. */
export async function refuseUnconfirmed(
  service: AccountService,
  requestContext: RequestContext,
): Promise<AccountServiceCode | null> {
  const session = await findSession(service, requestContext)
  if (!session) {
    return 'not-signed-in'
  }

  return (await isConfirmed(service, session)) ? null : 'confirm-first'
}

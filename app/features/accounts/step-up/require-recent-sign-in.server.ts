import { type MiddlewareFunction, redirect } from 'react-router'
import type { AccountErrorCode } from '../account-errors'
import { type AccountService, accountService } from '../account-service.server'
import { createRequestContext, type RequestContext } from '../session/request-context.server'
import { findSession } from '../session/session.server'
import { confirmUrl } from '../sign-in/sign-in-urls'
import { isSessionRecentlyConfirmed } from './step-up.server'

/** Requires a recent sign-in for a route and everything beneath it. */
export const recentSignInMiddleware: MiddlewareFunction<Response> = ({ request, url }) =>
  requireRecentSignIn(request, url.pathname)

/**
 * Lets a signed-in request pass if the learner signed in recently.
 *
 * @param nextUrl the path that follows the page 'Confirm it's you'
 * @throws a redirect to that page
 */
export async function requireRecentSignIn(request: Request, nextUrl: string): Promise<void> {
  const error = await checkRecentSignIn(accountService, createRequestContext(request))
  if (error) {
    throw redirect(confirmUrl(nextUrl), 303)
  }
}

/** @returns null if the learner signed in recently, otherwise the error */
export async function checkRecentSignIn(
  service: AccountService,
  requestContext: RequestContext,
): Promise<AccountErrorCode | null> {
  const session = await findSession(service, requestContext)
  if (!session) {
    return 'not-signed-in'
  }

  return (await isSessionRecentlyConfirmed(service, session)) ? null : 'confirm-first'
}

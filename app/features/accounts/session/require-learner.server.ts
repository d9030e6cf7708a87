import { createContext, data, type MiddlewareFunction, redirect } from 'react-router'
import { refuseInMaintenance } from '~/server/http/maintenance.server'
import { isSamePage } from '~/ui/compare-paths'
import { signedOutInOtherTabMessage } from '../account-errors'
import { accountService } from '../account-service.server'
import { isRealName } from '../full-name'
import { missingNameUrl } from '../sign-in/sign-in-urls'
import { requireTwoFactorSetup } from '../two-factor/required-two-factor.server'
import { createRequestContext } from './request-context.server'
import { findSignedInUser } from './session.server'
import { type SessionUser, toSessionUser } from './session-user.server'

/**
 * The signed-in learner in every route below `requireLearner`, which is the only code that sets it.
 */
export const signedInLearner = createContext<SessionUser>()

type GuardedRequest = Pick<Parameters<MiddlewareFunction>[0], 'request' | 'url' | 'params'>

/**
 * Returns middleware that lets only learners pass, to loaders and actions alike. A learner without
 * a name is asked for it first.
 *
 * @param respondToVisitor returns the response for a visitor. By default it is a redirect to the
 *   login page, which leads back after the sign-in.
 */
export function requireLearner(
  respondToVisitor: (visit: GuardedRequest) => unknown = redirectToLogin,
): MiddlewareFunction<Response> {
  return async ({ request, url, params, context }) => {
    refuseInMaintenance()
    const learner = await findLearner(request)
    if (!learner) {
      throw await respondToVisitor({ request, url, params })
    }

    requireName(learner.displayName, { request, url })
    context.set(signedInLearner, learner)
  }
}

/**
 * The pages about the account itself. They work without a name, so that a learner can delete the
 * account without giving one.
 */
const pagesWithoutName = [
  '/Confirm',
  '/OwnData',
  '/Profile/name',
  '/Profile/settings',
  '/Profile/sign-in',
  '/Profile/two-step',
]

/**
 * Redirects a learner whose name is not known to the page that asks for it. That page leads back.
 *
 * Forms and scripts of open pages are not redirected, so that nothing they send is lost. This is
 * safe because certificates wait for the name, and public pages show no placeholder and no email
 * address.
 */
export function requireName(
  displayName: string,
  { request, url }: Pick<GuardedRequest, 'request' | 'url'>,
): void {
  const isPageAllowed =
    request.method === 'POST' || pagesWithoutName.some((page) => isSamePage(url.pathname, page))
  if (!isRealName(displayName) && !isPageAllowed) {
    throw redirect(missingNameUrl(url.pathname + url.search))
  }
}

/**
 * Returns the signed-in learner, or null.
 *
 * @throws a redirect if the learner first has to set up two-step sign-in
 */
export async function findLearner(request: Request): Promise<SessionUser | null> {
  const user = await findSignedInUser(accountService, createRequestContext(request))
  if (!user) {
    return null
  }

  await requireTwoFactorSetup(accountService.db, user.id, request)

  return toSessionUser(user)
}

/** Returns a redirect to the login page, which leads back to the requested page. */
export function redirectToLogin({ url: { pathname, search } }: GuardedRequest): Response {
  // Without the parameter `from`, the login page leads to /Profile.
  if (isSamePage(pathname, '/Profile')) {
    return redirect('/Login')
  }

  return redirect(`/Login?${new URLSearchParams({ from: pathname + search })}`)
}

/** Responds to a visitor's script. The open page stays, with its unsaved input. */
export function signedOutResponse() {
  return data(signedOutInOtherTabMessage, { status: 401 })
}

/**
 * Returns the session token in the request's signed cookie. The caller's own query has to check
 * that the session exists.
 */
export async function findSessionToken({ headers }: Request): Promise<string | null> {
  return headers.has('cookie') ? accountService.auth.api.readSessionToken({ headers }) : null
}

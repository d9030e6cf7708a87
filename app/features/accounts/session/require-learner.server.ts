import { createContext, data, type MiddlewareFunction, redirect } from 'react-router'
import { refuseInMaintenance } from '~/server/http/maintenance.server'
import { signedOutInOtherTab } from '../account-errors'
import { type SessionUser, toSessionUser } from '../account-queries.server'
import { accountService } from '../account-service.server'
import { requireTwoFactorSetup } from '../two-factor/required-two-factor.server'
import { createRequestContext } from './request-context.server'
import { findSignedInUser } from './session.server'

/**
 * The signed-in learner in every route below `requireLearner`, which is the only code that sets it.
 */
export const signedInLearner = createContext<SessionUser>()

type GuardedRequest = Pick<Parameters<MiddlewareFunction>[0], 'request' | 'url' | 'params'>

/**
 * Returns middleware that lets only learners pass, to loaders and actions alike.
 *
 * @param respondToVisitor makes the response for a visitor. By default it redirects to the login
 *   page, which leads back afterwards.
 */
export function requireLearner(
  respondToVisitor: (requestContext: GuardedRequest) => unknown = redirectToLogin,
): MiddlewareFunction<Response> {
  return async ({ request, url, params, context }) => {
    refuseInMaintenance()
    const learner = await findLearner(request)
    if (!learner) {
      throw await respondToVisitor({ request, url, params })
    }

    context.set(signedInLearner, learner)
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

export function redirectToLogin({ url: { pathname, search } }: GuardedRequest): Response {
  // The login page leads to /Profile by default.
  if (pathname === '/Profile') {
    return redirect('/Login')
  }

  return redirect(`/Login?${new URLSearchParams({ from: pathname + search })}`)
}

/** Responds to a visitor's script. The open page stays, with its unsaved input. */
export function signedOutResponse() {
  return data(signedOutInOtherTab, { status: 401 })
}

/**
 * Returns the session token in the request's signed cookie. The caller's own query has to check
 * that the session exists.
 */
export async function findSessionToken({ headers }: Request): Promise<string | null> {
  return headers.has('cookie') ? accountService.auth.api.readSessionToken({ headers }) : null
}

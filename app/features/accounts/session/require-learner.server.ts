import { createContext, data, type MiddlewareFunction, redirect } from 'react-router'
import { refuseInMaintenance } from '~/server/http/maintenance.server'
import { signedOutElsewhere } from '../account-errors'
import { type SessionUser, sessionUser } from '../account-queries.server'
import { accountService } from '../account-service.server'
import { demandRequiredTwoFactor } from '../two-factor/required-two-factor.server'
import { findSignedInUser, openRequestContext } from './session.server'

/**
 * The signed-in learner, or null.
 *
 * @throws a redirect if the learner first has to set up two-step sign-in.
 */
export async function findLearner(request: Request): Promise<SessionUser | null> {
  const user = await findSignedInUser(accountService, openRequestContext(request))
  if (!user) {
    return null
  }

  await demandRequiredTwoFactor(accountService.db, user.id, request)

  return sessionUser(user)
}

/**
 * The session's token by the signed cookie alone: the caller's own query has to check that the
 * session exists.
 */
export async function findSessionToken({ headers }: Request): Promise<string | null> {
  return headers.has('cookie') ? accountService.auth.api.readSessionToken({ headers }) : null
}

/** The signed-in learner, for everything beneath `requireLearner`, the only place that sets it. */
export const signedInLearner = createContext<SessionUser>()

type Guarded = Pick<Parameters<MiddlewareFunction>[0], 'request' | 'url' | 'params'>

/**
 * Guards a route and everything beneath it, pages and changes alike.
 *
 * @param answerVisitor by default leads to the login page, which leads back afterwards.
 */
export function requireLearner(
  answerVisitor: (requestContext: Guarded) => unknown = leadToLogin,
): MiddlewareFunction<Response> {
  return async ({ request, url, params, context }) => {
    refuseInMaintenance()
    const learner = await findLearner(request)
    if (!learner) {
      throw await answerVisitor({ request, url, params })
    }

    context.set(signedInLearner, learner)
  }
}

export function leadToLogin({ url: { pathname, search } }: Guarded): Response {
  // /Profile is the default after signing in.
  return redirect(
    pathname === '/Profile'
      ? '/Login'
      : `/Login?${new URLSearchParams({ from: pathname + search })}`,
  )
}

/** For requests from scripts: the open page stays, with its unsaved input. */
export function refuseVisitor() {
  return data(signedOutElsewhere, { status: 401 })
}

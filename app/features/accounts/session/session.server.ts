/**
 * Finds, extends, begins and ends the session of a browser. better-auth stores the sessions and
 * signs their cookies. While the database fails, these functions throw, so that no learner appears
 * to be signed out.
 */
import { isAPIError } from 'better-auth/api'
import type { AccountErrorCode } from '../account-errors'
import { findUser, type UserRow } from '../account-queries.server'
import type { AccountService } from '../account-service.server'
import { setSecondStepCookie } from '../two-factor/second-step-cookie.server'
import type { SignInProof } from './new-session.server'
import { copyCookies, type RequestContext } from './request-context.server'
import { getExtensionIntervalSeconds } from './session-rules.server'
import { type SessionUser, toSessionUser } from './session-user.server'

type FindSessionOptions = {
  /** Whether the session is extended if that is due. */
  shouldExtend?: boolean
}

/** Returns the account that is signed in, or null for a visitor or a disabled account. */
export async function findSignedInUser(
  service: AccountService,
  requestContext: RequestContext,
  options: FindSessionOptions = {},
): Promise<UserRow | null> {
  const session = await findSession(service, requestContext, options)
  if (!session) {
    return null
  }

  const user = await findUser(service.db, session.userId)

  return user && !user.banned ? user : null
}

/** Returns the signed-in learner for the browser, and extends the session. */
export async function refreshSignedInUser(
  service: AccountService,
  requestContext: RequestContext,
): Promise<{ user: SessionUser | null }> {
  const user = await findSignedInUser(service, requestContext, { shouldExtend: true })
  return { user: user && toSessionUser(user) }
}

/**
 * Returns the session of a request, or null. The account may be disabled: `findSignedInUser` checks
 * that too.
 */
export async function findSession(
  service: AccountService,
  requestContext: RequestContext,
  { shouldExtend = false }: FindSessionOptions = {},
) {
  const { headers, responseCookies } = requestContext
  if (!headers.has('cookie')) {
    return null
  }

  const requestSession = (query: { disableRefresh: boolean }) =>
    service.auth.api.getSession({ headers, query, returnHeaders: true })

  try {
    let result = await requestSession({ disableRefresh: true })
    const updatedAt = result.response?.session.updatedAt
    // better-auth itself would extend a session that is close to its maximum age with every
    // request. So better-auth is only allowed to extend one whose last extension is long enough
    // ago.
    if (shouldExtend && updatedAt && isExtensionDue(service, updatedAt)) {
      result = await requestSession({ disableRefresh: false })
    }

    copyCookies(result.headers, responseCookies)

    return result.response?.session ?? null
  } catch (error) {
    // The session ended while better-auth was reading or extending it.
    if (isUnauthorized(error)) {
      return null
    }

    throw error
  }
}

function isExtensionDue({ sessionRules }: AccountService, updatedAt: Date): boolean {
  return updatedAt.getTime() + getExtensionIntervalSeconds(sessionRules) * 1000 <= Date.now()
}

function isUnauthorized(error: unknown): boolean {
  return isAPIError(error) && error.status === 'UNAUTHORIZED'
}

/**
 * Signs the browser in after its password or its second step was verified.
 *
 * @returns null if the browser is signed in; 'second-step' if the account requires one first; or
 *   the error if the password was changed, the account disabled or the second step used meanwhile
 */
export async function beginSession(
  service: AccountService,
  requestContext: RequestContext,
  signInDetails: { uid: string; signInMethod: string; proof: SignInProof; rememberMe: boolean },
): Promise<AccountErrorCode | null> {
  try {
    const { headers, response: secondStepToken } = await service.auth.api.beginSession({
      body: signInDetails,
      headers: requestContext.headers,
      returnHeaders: true,
    })

    copyCookies(headers, requestContext.responseCookies)
    if (secondStepToken === null) {
      return null
    }

    const { signInMethod, rememberMe } = signInDetails
    const secondStep = { token: secondStepToken, signInMethod, rememberMe }
    await setSecondStepCookie(service, requestContext.responseCookies, secondStep)

    return 'second-step'
  } catch (error) {
    if (!isUnauthorized(error)) {
      throw error
    }

    // The password has changed, or the second step has expired, since the browser passed the check.
    return 'passwordHash' in signInDetails.proof ? 'wrong-password' : 'second-step-over'
  }
}

/**
 * Ends this browser's session. Calling it again does no harm.
 *
 * @returns null, which the accounts' JSON API responds to as a success without data
 */
export async function signOut(
  service: AccountService,
  requestContext: RequestContext,
): Promise<null> {
  const { headers } = await service.auth.api.endSession({
    headers: requestContext.headers,
    returnHeaders: true,
  })
  copyCookies(headers, requestContext.responseCookies)

  return null
}

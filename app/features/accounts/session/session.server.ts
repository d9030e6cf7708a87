import { isAPIError } from 'better-auth/api'
import {
  getClientIpAddress,
  getClientNetwork,
  isLoopbackAddress,
} from '~/server/http/client-address.server'
import type { AccountErrorCode } from '../account-errors'
import { findUser, type SessionUser, toSessionUser, type UserRow } from '../account-queries.server'
import type { AccountService } from '../account-service.server'
import { type Attempt, type AttemptLimit, loopbackFactor } from '../attempt-limits.server'
import { setSecondStepCookie } from '../two-factor/second-step-cookie.server'
import type { SignInProof } from './new-session.server'
import { getRenewalSeconds } from './session-rules.server'

/** What the account functions need to know of a request, and the cookies that they add to its response. */
export type RequestContext = {
  /** The headers of the request. */
  headers: Headers
  /** The client's network, by which attempts are counted. */
  client: string
  /** The multiple of each limit that the client gets. */
  clientFactor: number
  /** The `Set-Cookie` headers of the response. */
  responseCookies: Headers
}

export function createRequestContext(request: Request): RequestContext {
  const ipAddress = getClientIpAddress()
  return {
    headers: request.headers,
    client: getClientNetwork(ipAddress),
    clientFactor: isLoopbackAddress(ipAddress) ? loopbackFactor : 1,
    responseCookies: new Headers(),
  }
}

/** Returns the request's `User-Agent` header, or an empty text. */
export function getUserAgent({ headers }: Pick<RequestContext, 'headers'>): string {
  return headers.get('user-agent') ?? ''
}

/**
 * Returns an attempt that counts against the client.
 *
 * @param account limits the count to the client's attempts for this account
 */
export function createClientAttempt(
  requestContext: RequestContext,
  limit: AttemptLimit,
  account?: string,
): Attempt {
  const { client, clientFactor } = requestContext
  const subject = account === undefined ? client : ([account, client] as const)
  return { limit, subject, factor: clientFactor }
}

/** @returns whether the client is within all limits */
export function consumeClientAttempts(
  { attempts }: AccountService,
  requestContext: RequestContext,
  ...limits: AttemptLimit[]
): Promise<boolean> {
  return attempts.consumeAll(limits.map((limit) => createClientAttempt(requestContext, limit)))
}

/**
 * Returns the session of a request, or null. The account may be disabled: `findSignedInUser` checks
 * that too.
 *
 * @param shouldRefresh whether a session that is in use is extended
 * @throws while the database fails, so that no learner appears to be signed out
 */
export async function findSession(
  service: AccountService,
  requestContext: RequestContext,
  shouldRefresh = false,
) {
  const { headers, responseCookies } = requestContext
  if (!headers.has('cookie')) {
    return null
  }

  const requestSession = (disableRefresh: boolean) =>
    service.auth.api.getSession({ headers, query: { disableRefresh }, returnHeaders: true })

  try {
    let result = await requestSession(true)
    const session = result.response?.session
    // Extends the session only when its renewal is due. Otherwise better-auth would extend a session near
    // its last day with every request.
    if (shouldRefresh && session && isRenewalDue(service, session.updatedAt)) {
      result = await requestSession(false)
    }

    copyCookies(result.headers, responseCookies)

    return result.response?.session ?? null
  } catch (error) {
    // The session ended while better-auth was reading or extending it.
    if (isAPIError(error) && error.status === 'UNAUTHORIZED') {
      return null
    }

    throw error
  }
}

function isRenewalDue({ sessionRules }: AccountService, updatedAt: Date): boolean {
  return updatedAt.getTime() + getRenewalSeconds(sessionRules) * 1000 <= Date.now()
}

/** Returns the account that is signed in, or null for a visitor or a disabled account. */
export async function findSignedInUser(
  service: AccountService,
  requestContext: RequestContext,
  shouldRefresh = false,
): Promise<UserRow | null> {
  const session = await findSession(service, requestContext, shouldRefresh)
  if (!session) {
    return null
  }

  const user = await findUser(service.db, session.userId)

  return user && !user.banned ? user : null
}

/** Returns the signed-in learner for the browser, and extends the session. */
export async function readSession(
  service: AccountService,
  requestContext: RequestContext,
): Promise<{ user: SessionUser | null }> {
  const user = await findSignedInUser(service, requestContext, true)
  return { user: user && toSessionUser(user) }
}

/**
 * Signs the browser in after its password or its second step was verified.
 *
 * @returns null, 'second-step' if the account requires one, or the error if the password was
 *   changed, the account disabled or the second step used meanwhile
 */
export async function beginSession(
  service: AccountService,
  requestContext: RequestContext,
  signIn: { uid: string; signInMethod: string; proof: SignInProof; rememberMe: boolean },
): Promise<AccountErrorCode | null> {
  try {
    const { headers, response: secondStepToken } = await service.auth.api.beginSession({
      body: signIn,
      headers: requestContext.headers,
      returnHeaders: true,
    })

    copyCookies(headers, requestContext.responseCookies)
    if (secondStepToken === null) {
      return null
    }

    const { signInMethod, rememberMe } = signIn
    const secondStep = { token: secondStepToken, signInMethod, rememberMe }
    await setSecondStepCookie(service, requestContext.responseCookies, secondStep)

    return 'second-step'
  } catch (error) {
    if (isAPIError(error) && error.status === 'UNAUTHORIZED') {
      return 'passwordHash' in signIn.proof ? 'wrong-password' : 'second-step-over'
    }

    throw error
  }
}

/** Ends this browser's session. Calling it again does no harm. */
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

/** Copies better-auth's cookies to another response. */
export function copyCookies(from: Headers, to: Headers): void {
  for (const cookie of from.getSetCookie()) {
    to.append('Set-Cookie', cookie)
  }
}

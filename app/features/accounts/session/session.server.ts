import { isAPIError } from 'better-auth/api'
import { clientAddress, isLoopbackAddress, networkOf } from '~/server/http/client-address.server'
import type { AccountServiceCode } from '../account-errors'
import { findUser, type SessionUser, sessionUser, type UserRow } from '../account-queries.server'
import type { AccountService } from '../account-service.server'
import { type Attempt, type AttemptLimit, loopbackFactor } from '../attempt-limits.server'
import { setSecondStep } from '../two-factor/second-step-cookie.server'
import type { SignInProof } from './new-session.server'
import { renewalSeconds } from './session-rules.server'

/** One request to the accounts: its session, its client, and the cookies for the response. */
export type RequestContext = {
  /** Of the request. */
  headers: Headers
  /**
   * The client's network, by which attempts are counted, and the multiple of the limit that it
   * gets.
   */
  client: string
  clientFactor: number
  /** Of the answer: `Set-Cookie` lines only. */
  cookies: Headers
}

export function openRequestContext(request: Request): RequestContext {
  const address = clientAddress()
  return {
    headers: request.headers,
    client: networkOf(address),
    clientFactor: isLoopbackAddress(address) ? loopbackFactor : 1,
    cookies: new Headers(),
  }
}

/** What the browser calls itself. */
export function userAgentOf({ headers }: Pick<RequestContext, 'headers'>): string {
  return headers.get('user-agent') ?? ''
}

/** An attempt of the client. @param account counts the client's attempts for this account only. */
export function clientAttempt(
  requestContext: RequestContext,
  limit: AttemptLimit,
  account?: string,
): Attempt {
  const subject =
    account === undefined ? requestContext.client : ([account, requestContext.client] as const)
  return { limit, subject, factor: requestContext.clientFactor }
}

/** @returns false when the window is full. */
export function countClientAttempt(
  { attempts }: AccountService,
  requestContext: RequestContext,
  ...limits: AttemptLimit[]
): Promise<boolean> {
  return attempts.takeEach(limits.map((limit) => clientAttempt(requestContext, limit)))
}

/**
 * The session of a request, or null.
 *
 * @param refresh extends a session that is in use.
 * @throws while the database fails, so that no learner is told to be signed out.
 */
export async function findSession(
  service: AccountService,
  requestContext: RequestContext,
  refresh = false,
) {
  if (!requestContext.headers.has('cookie')) {
    return null
  }

  const { headers } = requestContext
  const read = (disableRefresh: boolean) =>
    service.auth.api.getSession({ headers, query: { disableRefresh }, returnHeaders: true })
  try {
    let found = await read(true)
    // better-auth would extend a session that is near its last day at every request.
    const used = found.response?.session.updatedAt.getTime()
    const isDue =
      used !== undefined && used + renewalSeconds(service.sessionRules) * 1000 <= Date.now()
    if (refresh && isDue) {
      found = await read(false)
    }

    passCookies(found.headers, requestContext.cookies)

    return found.response?.session ?? null
  } catch (error) {
    // The session ended while it was extended.
    if (isAPIError(error) && error.status === 'UNAUTHORIZED') {
      return null
    }

    throw error
  }
}

/** The account that is signed in; null for a visitor, and for an account that is disabled. */
export async function findSignedInUser(
  service: AccountService,
  requestContext: RequestContext,
  refresh = false,
): Promise<UserRow | null> {
  const session = await findSession(service, requestContext, refresh)
  const user = session && (await findUser(service.db, session.userId))
  return user && !user.banned ? user : null
}

/** The current user, as a browser asks for it. */
export async function readSession(
  service: AccountService,
  requestContext: RequestContext,
): Promise<{ user: SessionUser | null }> {
  const user = await findSignedInUser(service, requestContext, true)
  return { user: user && sessionUser(user) }
}

/**
 * Signs the browser in after its password or its second step was checked.
 *
 * @returns null; 'second-step' if that has to follow; or the refusal if the password was changed,
 * the account disabled or the second step taken since.
 */
export async function beginSession(
  service: AccountService,
  requestContext: RequestContext,
  signIn: { uid: string; way: string; proof: SignInProof; rememberMe: boolean },
): Promise<AccountServiceCode | null> {
  try {
    const { headers, response } = await service.auth.api.beginSession({
      body: signIn,
      headers: requestContext.headers,
      returnHeaders: true,
    })

    passCookies(headers, requestContext.cookies)
    if (response === null) {
      return null
    }

    await setSecondStep(service, requestContext.cookies, { ...signIn, token: response })

    return 'second-step'
  } catch (error) {
    if (isAPIError(error) && error.status === 'UNAUTHORIZED') {
      return 'hash' in signIn.proof ? 'wrong-password' : 'second-step-over'
    }

    throw error
  }
}

/** Ends this browser's session. Idempotent. */
export async function signOut(
  service: AccountService,
  requestContext: RequestContext,
): Promise<null> {
  const { headers } = await service.auth.api.endSession({
    headers: requestContext.headers,
    returnHeaders: true,
  })
  passCookies(headers, requestContext.cookies)
  return null
}

/** Copies better-auth's cookies to another response. */
export function passCookies(from: Headers, to: Headers): void {
  for (const cookie of from.getSetCookie()) {
    to.append('Set-Cookie', cookie)
  }
}

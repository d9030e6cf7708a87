/**
 * Lets the account functions work without HTTP: what they read from a request, and what they add to
 * its response.
 */
import { getClientNetwork, isLoopbackIpAddress } from '~/server/http/client-ip-address.server'
import { getClientIpAddress } from '~/server/http/request-source.server'
import type { AccountService } from '../account-service.server'
import { type Attempt, type AttemptLimit, loopbackLimitFactor } from '../attempt-limits.server'

/**
 * The part of a request that the account functions read, and the cookies that they add to its
 * response.
 */
export type RequestContext = {
  /** The headers of the request. */
  headers: Headers
  /** The network of the client's IP address, by which attempts are counted. */
  clientNetwork: string
  /**
   * The client's limits are multiplied by this factor. It is 1, except for clients on this machine.
   */
  limitFactor: number
  /** The `Set-Cookie` headers of the response. */
  responseCookies: Headers
}

/**
 * Creates the context of a request. This must be called while the request is handled, because the
 * IP address is that of the current request.
 */
export function createRequestContext(request: Request): RequestContext {
  const ipAddress = getClientIpAddress()
  return {
    headers: request.headers,
    clientNetwork: getClientNetwork(ipAddress),
    limitFactor: isLoopbackIpAddress(ipAddress) ? loopbackLimitFactor : 1,
    responseCookies: new Headers(),
  }
}

/** Returns the request's `User-Agent` header, or an empty text. */
export function getUserAgent({ headers }: Pick<RequestContext, 'headers'>): string {
  return headers.get('user-agent') ?? ''
}

/** Copies the cookies of a response, such as better-auth's, to another response. */
export function copyCookies(from: Headers, to: Headers): void {
  for (const cookie of from.getSetCookie()) {
    to.append('Set-Cookie', cookie)
  }
}

/**
 * Counts an attempt of the client against each limit, up to the first one that is exhausted.
 *
 * @returns whether the client is within all limits
 */
export function consumeClientAttempts(
  { attempts }: AccountService,
  requestContext: RequestContext,
  ...limits: AttemptLimit[]
): Promise<boolean> {
  return attempts.consumeAll(limits.map((limit) => createClientAttempt(requestContext, limit)))
}

/**
 * Returns an attempt that counts against the client.
 *
 * @param uid if given, only the client's attempts for this account count
 */
export function createClientAttempt(
  { clientNetwork, limitFactor }: RequestContext,
  limit: AttemptLimit,
  uid?: string,
): Attempt {
  const subject = uid === undefined ? clientNetwork : ([uid, clientNetwork] as const)
  return { limit, subject, limitFactor }
}

import { clientAddress, isLoopbackAddress, networkOf } from '~/server/http/client-address.server'
import type { AccountService } from '../account-service.server'
import { type Attempt, type AttemptLimit, loopbackFactor } from '../attempt-limits.server'

/** One request to the accounts: its session, its client, and the cookies for the response. */
export type RequestContext = {
  /** Of the request. */
  headers: Headers
  /** The client's network, by which attempts are counted, and the multiple of the limit that it gets. */
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

/** An attempt of the client. @param account counts the client's attempts for this account only. */
export function clientAttempt(requestContext: RequestContext, limit: AttemptLimit, account?: string): Attempt {
  const subject = account === undefined ? requestContext.client : ([account, requestContext.client] as const)
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

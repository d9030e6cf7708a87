/**
 * Tells visitors to come back later, with status 503, if the database was unavailable for their
 * request.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { MiddlewareHandler } from 'hono'
import { isLostConnection } from './connection-error.server'

type RequestOutcome = { hasOutage: boolean }

const requestOutcomes = new AsyncLocalStorage<RequestOutcome>()

/** Marks the current request as failed by an outage. */
export function recordOutage(error: unknown): void {
  const outcome = requestOutcomes.getStore()
  if (outcome && isOutage(error)) {
    outcome.hasOutage = true
  }
}

/** Turns a 500 that a database outage caused into a 503 with Retry-After. */
export const outageMiddleware: MiddlewareHandler = async (context, next) => {
  const outcome: RequestOutcome = { hasOutage: false }
  await requestOutcomes.run(outcome, next)
  if (!outcome.hasOutage || context.res.status < 500) {
    return
  }

  const { body, headers } = context.res
  context.res = new Response(body, { status: 503, headers })
  context.res.headers.set('Retry-After', '5')
}

/**
 * SQLSTATE classes and system error codes that are not the query's fault: connection failure (08
 * and network errors), out of resources (53: connections, memory, disk), operator intervention or
 * timeout (57), system error (58), transaction conflict (40), login refused (28), database missing
 * (3D) and lock not available (55P03).
 */
const outageCodes =
  /^(08|53|57|58|40|28|3D|55P03|ECONN|EPIPE|ETIMEDOUT|EHOST|ENET|EAI_AGAIN|ENOTFOUND|EMFILE)/

/**
 * Returns whether an error or one of its causes is an outage. Drizzle wraps the errors of the
 * database.
 */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) {
    return false
  }

  if (isLostConnection(error) || ('code' in error && outageCodes.test(String(error.code)))) {
    return true
  }

  return isOutage(error.cause)
}

import { AsyncLocalStorage } from 'node:async_hooks'
import type { MiddlewareHandler } from 'hono'
import { isLostConnection } from './connection-error.server'

type Request = { outage: boolean }

const requests = new AsyncLocalStorage<Request>()

/**
 * SQLSTATE classes and system error codes that are not the query's fault: connection failure (08
 * and the network's), out of resources (53: connections, memory, disk), operator intervention or
 * timeout (57), system error (58), transaction conflict (40), login refused (28), database missing
 * (3D), lock not available (55P03).
 */
const outageCodes =
  /^(08|53|57|58|40|28|3D|55P03|ECONN|EPIPE|ETIMEDOUT|EHOST|ENET|EAI_AGAIN|ENOTFOUND|EMFILE)/

/** Drizzle wraps the database's error, so the causes are searched, too. */
function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) {
    return false
  }

  if (isLostConnection(error) || ('code' in error && outageCodes.test(String(error.code)))) {
    return true
  }

  return isOutage(error.cause)
}

/** Marks the current request as failed by an outage. */
export function noteOutage(error: unknown): void {
  const request = requests.getStore()
  if (request && isOutage(error)) {
    request.outage = true
  }
}

/** Answers a database outage with 503 and Retry-After instead of 500. */
export const answerOutage: MiddlewareHandler = async (context, next) => {
  const request = { outage: false }
  await requests.run(request, next)
  if (!request.outage || context.res.status < 500) {
    return
  }

  const { body, headers } = context.res
  context.res = new Response(body, { status: 503, headers })
  context.res.headers.set('Retry-After', '5')
}

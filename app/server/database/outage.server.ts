import { AsyncLocalStorage } from 'node:async_hooks'
import type { MiddlewareHandler } from 'hono'
import { isLostConnection } from './connection-error.server'

type Request = { outage: boolean }

const requests = new AsyncLocalStorage<Request>()

/**
 * SQLSTATE classes and codes, and codes of the system, that say nothing about the query: no connection (08 and the
 * network's), resources used up (53: connections, memory, disk), stopped by hand or by time (57), system (58), another
 * transaction first (40), not let in (28), no such database (3D), locked (55P03).
 */
const outageCodes = /^(08|53|57|58|40|28|3D|55P03|ECONN|EPIPE|ETIMEDOUT|EHOST|ENET|EAI_AGAIN|ENOTFOUND|EMFILE)/

/** A transaction fails with what Drizzle wraps its statement's error in. */
function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (isLostConnection(error) || ('code' in error && outageCodes.test(String(error.code)))) return true
  return isOutage(error.cause)
}

/** Remembers for the request under way that an error of it comes from an outage. */
export function noteOutage(error: unknown): void {
  const request = requests.getStore()
  if (request && isOutage(error)) request.outage = true
}

/** A failure because of the database is 503, to be tried again, and not a mistake of ours. */
export const answerOutage: MiddlewareHandler = async (context, next) => {
  const request = { outage: false }
  await requests.run(request, next)
  if (!request.outage || context.res.status < 500) return
  const { body, headers } = context.res
  context.res = new Response(body, { status: 503, headers })
  context.res.headers.set('Retry-After', '5')
}

import { AsyncLocalStorage } from 'node:async_hooks'
import type { MiddlewareHandler } from 'hono'

type Request = { outage: boolean }

const requests = new AsyncLocalStorage<Request>()

/**
 * SQLSTATE classes and codes of the driver and the system that say nothing about the question: no connection (08, CONNECT...,
 * E...), resources used up (53: connections, memory, disk), stopped by hand or by time (57), system (58), another one first
 * (40), not let in (28), no such database (3D), read only (25006), locked (55P03).
 */
const outageCodes = /^(08|53|57|58|40|28|3D|25006|55P03|CONNECT|E[A-Z])/

/** A transaction fails with what drizzle wraps its statement's error in. */
function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return ('code' in error && outageCodes.test(String(error.code))) || isOutage(error.cause)
}

/** Remembers whose question is asked, because its failure arrives on the connection's own path. */
export function watchOutage(): (error: unknown) => void {
  const request = requests.getStore()
  return (error) => {
    if (request && isOutage(error)) request.outage = true
  }
}

/** What could not be answered because of the database is 503, to be tried again, and not a mistake of ours. */
export const answerOutage: MiddlewareHandler = async (context, next) => {
  const request = { outage: false }
  await requests.run(request, next)
  if (!request.outage || context.res.status < 500) return
  const { body, headers } = context.res
  context.res = new Response(body, { status: 503, headers })
  context.res.headers.set('Retry-After', '5')
}

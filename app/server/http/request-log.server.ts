import type { Context, MiddlewareHandler } from 'hono'
import { routePath } from 'hono/route'
import { env, isLoopback } from '../env.server'
import { log } from '../operations/log.server'
import { countResponse, otherRoute } from '../operations/metrics/counters.server'
import { toLoggedPath } from './logged-path.server'
import { currentTrace, type RequestTrace } from './request-trace.server'

/**
 * Returns the middleware that logs one line per request. The line of a slow request is a warning,
 * and says where the time went.
 *
 * @param slowRequestMs a request that takes at least this time is slow
 */
export function logRequests(slowRequestMs: number): MiddlewareHandler {
  return async (context, next) => {
    const startedAt = performance.now()
    await next()
    const durationMs = performance.now() - startedAt

    const trace = currentTrace()
    const status = getLoggedStatus(context)
    countResponse(trace?.route ?? getHonoRoute(context), status, durationMs / 1000)

    const { method, path } = context.req
    const line = { method, path: toLoggedPath(path), status, ms: Math.round(durationMs) }
    if (durationMs < slowRequestMs) {
      log.info(line, 'request')
    } else {
      log.warn({ ...line, ...(trace && getRoundedTimes(trace)) }, 'slow request')
    }

    if (trace && trace.queryCount > 0 && hasServerTiming) {
      context.res.headers.set('Server-Timing', formatServerTiming(trace, durationMs))
    }
  }
}

/** nginx uses this status, too: the client closed the connection before the response was sent. */
const clientClosedRequest = 499

function getLoggedStatus({ req, res }: Context): number {
  const isClosedByClient = res.status >= 500 && req.raw.signal.aborted
  return isClosedByClient ? clientClosedRequest : res.status
}

/** Returns the Hono route of a request, or `otherRoute` if it was refused or not found. */
function getHonoRoute(context: Context): string {
  const path = routePath(context)
  return path === '*' || path === '/*' ? otherRoute : path.replace(/\{.*\}/, '')
}

/**
 * Returns whole milliseconds. The times of parallel queries are added up, so their sum may exceed
 * the time of the request.
 */
function getRoundedTimes({ queryCount, sqlMs, poolWaitMs, renderMs, compressMs }: RequestTrace) {
  return {
    queries: queryCount,
    sqlMs: Math.round(sqlMs),
    poolMs: Math.round(poolWaitMs),
    renderMs: Math.round(renderMs),
    compressMs: Math.round(compressMs),
  }
}

/**
 * Whether responses have a `Server-Timing` header, which the developer tools of browsers display.
 * On a public site, the timings could reveal whether an account exists.
 */
const hasServerTiming = isLoopback || env.NODE_ENV === 'development'

function formatServerTiming(
  { queryCount, sqlMs, poolWaitMs, renderMs, compressMs }: RequestTrace,
  totalMs: number,
): string {
  const sqlMetric = `sql;dur=${sqlMs.toFixed(1)};desc="queries: ${queryCount}"`
  const otherTimes = { pool: poolWaitMs, render: renderMs, compress: compressMs, total: totalMs }
  const otherMetrics = Object.entries(otherTimes).map(
    ([name, durationMs]) => `${name};dur=${durationMs.toFixed(1)}`,
  )

  return [sqlMetric, ...otherMetrics].join(', ')
}

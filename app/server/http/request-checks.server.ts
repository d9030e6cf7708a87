import type { Context, MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { routePath } from 'hono/route'
import { env, isLoopback } from '../env.server'
import { log } from '../operations/log.server'
import { countResponse, otherRoute } from '../operations/metrics/counters.server'
import { currentTrace, loggedPath, type RequestTrace } from './request-trace.server'
import { serverMessages } from './server-messages.server'

/** The middleware that logs, checks and limits every request. */

const kibibyte = 1024
const formLimitBytes = 64 * kibibyte
/** More than the 5 MB that pictures may have, so that the form itself reports a larger picture. */
const uploadLimitBytes = 12 * kibibyte * kibibyte
/** As in nginx: the client closed the connection before the response was sent. */
const clientClosedRequest = 499
const uploadPaths = /^\/(Profile|Desk\/(Site|People\/Import))(\/|\.data|$)/i

/**
 * Logs one line per request. The line of a slow request is a warning and says where the time went.
 *
 * @param slowAfterMs the time that makes a request slow
 */
export const logRequests =
  (slowAfterMs: number): MiddlewareHandler =>
  async (context, next) => {
    const startedAt = performance.now()
    await next()
    const ms = performance.now() - startedAt
    const { method, path } = context.req
    const status =
      context.res.status >= 500 && context.req.raw.signal.aborted
        ? clientClosedRequest
        : context.res.status
    const trace = currentTrace()
    countResponse(trace?.route ?? getHonoRoute(context), status, ms / 1000)
    const line = { method, path: loggedPath(path), status, ms: Math.round(ms) }
    if (ms < slowAfterMs) {
      log.info(line, 'request')
    } else {
      log.warn({ ...line, ...(trace && getRoundedTimes(trace)) }, 'slow request')
    }

    if (trace && trace.queryCount > 0 && hasServerTiming) {
      context.res.headers.set('Server-Timing', serverTiming(trace, ms))
    }
  }

/** Returns the Hono route of a request, or `otherRoute` if it was refused or not found. */
function getHonoRoute(context: Context): string {
  const path = routePath(context)
  return path === '*' || path === '/*' ? otherRoute : path.replace(/\{.*\}/, '')
}

/**
 * Returns whole milliseconds. The times of parallel queries are added up, so their sum may exceed the
 * time of the request.
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
 * Browsers' developer tools show these timings. On a public site they could reveal whether an
 * account exists.
 */
const hasServerTiming = isLoopback || env.NODE_ENV === 'development'

function serverTiming(
  { queryCount, sqlMs, poolWaitMs, renderMs, compressMs }: RequestTrace,
  ms: number,
): string {
  const times = { pool: poolWaitMs, render: renderMs, compress: compressMs, total: ms }
  const others = Object.entries(times).map(
    ([name, duration]) => `${name};dur=${duration.toFixed(1)}`,
  )
  return [`sql;dur=${sqlMs.toFixed(1)};desc="queries: ${queryCount}"`, ...others].join(', ')
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Refuses other methods. `OPTIONS` gets the list of methods, because a loader would treat it as `GET`. */
export const refuseUnknownMethod: MiddlewareHandler = async (context, next) => {
  const { method } = context.req
  if (methods.includes(method)) {
    return next()
  }

  const headers = { Allow: methods.join(', ') }
  if (method === 'OPTIONS') {
    return context.body(null, 204, headers)
  }

  return context.text(serverMessages.unknownMethod, 405, headers)
}

export const refuseUnreadableUrl: MiddlewareHandler = async (context, next) =>
  isParsableUrl(context.req.url) ? next() : context.text(serverMessages.unreadableAddress, 400)

export function isParsableUrl(url: string): boolean {
  try {
    return !decodeURIComponent(url.replaceAll('+', ' ')).includes('\0')
  } catch {
    return false
  }
}

export const safeMethods = new Set(['GET', 'HEAD'])

/** Refuses changes from other origins. Browsers send `Origin` with every POST. */
export const refuseForeignOrigin: MiddlewareHandler = async (context, next) => {
  if (safeMethods.has(context.req.method) || isSentByServer(context)) {
    return next()
  }

  const isSameOrigin = context.req.header('origin') === new URL(context.req.url).origin
  return isSameOrigin ? next() : context.text(serverMessages.foreignOrigin, 403)
}

/** The routes of these paths check a signature. */
const serverPaths = ['/StopReminders', '/payments/events']

/**
 * Returns whether a request is a one-click unsubscribe of an email program (RFC 8058) or an event of
 * the payment provider. These have no `Origin`. A request with an `Origin` is checked like any other.
 */
function isSentByServer({ req }: Context): boolean {
  return (
    req.method === 'POST' && serverPaths.includes(req.path) && req.header('origin') === undefined
  )
}

type FindSessionToken = (request: Request) => Promise<string | null>

export function limitBodies(findSessionToken: FindSessionToken): MiddlewareHandler {
  const limitForm = limitBody(formLimitBytes)
  const limitUpload = limitBody(uploadLimitBytes)

  return async (context, next) => {
    if (safeMethods.has(context.req.method)) {
      return next()
    }

    return (await isUpload(context, findSessionToken))
      ? limitUpload(context, next)
      : limitForm(context, next)
  }
}

/**
 * Returns whether a request is a signed-in learner's form with a photo, or a form at the desk with a
 * picture or a table. `Content-Length` is required, because a body of unknown length would be read
 * into memory to measure it.
 */
async function isUpload({ req }: Context, findSessionToken: FindSessionToken): Promise<boolean> {
  const isMultipart = /^multipart\/form-data\b/i.test(req.header('content-type') ?? '')
  if (
    !isMultipart ||
    !uploadPaths.test(req.path) ||
    req.header('transfer-encoding') !== undefined
  ) {
    return false
  }

  return (await findSessionToken(req.raw)) !== null
}

function limitBody(maxSize: number) {
  return bodyLimit({ maxSize, onError: (context) => context.text(serverMessages.tooLarge, 413) })
}

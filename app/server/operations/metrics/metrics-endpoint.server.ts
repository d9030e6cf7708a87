import { createHash, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import type { MiddlewareHandler } from 'hono'
import type { Registry } from 'prom-client'
import { db } from '../../database/client.server'
import { StartError } from '../../env.server'
import { readOutboxFigures } from '../../mail/outbox.server'
import { log, reportError } from '../log.server'
import { withTimeout } from '../readiness.server'

const askDatabaseEveryMs = 5_000
const databaseTimeoutMs = 2_000

let opened: Promise<Registry> | null = null

/** Metrics are set up at the first request, because most installations don't use them. */
function openMetrics(build: string): Promise<Registry> {
  opened ??= import('./metrics.server').then(({ createMetrics }) => {
    const ask = () => readOutboxFigures(db).catch(() => null)
    return createMetrics({ build, outbox: throttled(ask, askDatabaseEveryMs, databaseTimeoutMs) })
  })
  return opened
}

/** `/metrics` on the product's own port, with `METRICS_TOKEN`. 404 if that is not set. */
export function metricsByToken(token: string, build: string): MiddlewareHandler {
  return async (context, next) => {
    if (!isBearer(context.req.header('authorization'), token)) {
      return next()
    }

    const metrics = await openMetrics(build)
    const headers = { 'Content-Type': metrics.contentType, 'Cache-Control': 'no-store' }

    return context.body(await metrics.metrics(), 200, headers)
  }
}

/** Compares in constant time. */
function isBearer(header: string | undefined, token: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(header ?? ''), digest(`Bearer ${token}`))
}

type MetricsPlace = { port: number; host: string; token?: string }

/**
 * `/metrics` on a port of its own, which a firewall or a loopback address protects, and the token,
 * if there is one.
 *
 * @returns closes it.
 * @throws {StartError} if the port is taken.
 */
export async function serveMetrics(
  { port, host, token }: MetricsPlace,
  build: string,
): Promise<() => Promise<void>> {
  const metrics = await openMetrics(build)
  const server = createServer((request, response) => {
    const asked = request.method === 'GET' && request.url?.split('?')[0] === '/metrics'
    if (!asked) {
      return void response.writeHead(404).end()
    }

    if (token && !isBearer(request.headers.authorization, token)) {
      return void response.writeHead(401, { 'WWW-Authenticate': 'Bearer' }).end()
    }

    metrics.metrics().then(
      (text) => response.writeHead(200, { 'Content-Type': metrics.contentType }).end(text),
      (error) => {
        reportError(error)
        response.writeHead(500).end()
      },
    )
  })

  await new Promise<void>((resolve, reject) => {
    server.once('listening', resolve)
    server.once('error', () =>
      reject(new StartError(`METRICS_PORT ${port} can’t be used on ${host}. Set another one.`)),
    )
    server.listen(port, host)
  })

  log.info({ host, port }, 'metrics')
  if (!token && ['0.0.0.0', '::'].includes(host)) {
    log.warn(
      { host, port },
      'everyone who reaches METRICS_PORT can read the metrics: set METRICS_TOKEN, too',
    )
  }

  return async () => {
    server.close()
    server.closeAllConnections()
  }
}

/**
 * Asks at most once in a while, however often it is called.
 *
 * @param ask never throws.
 * @returns the last answer; null if it took longer than `timeoutMs`.
 */
export function throttled<T>(
  ask: () => Promise<T | null>,
  everyMs: number,
  timeoutMs: number,
  now = () => performance.now(),
): () => Promise<T | null> {
  let last: { at: number; answer: Promise<T | null> } | null = null
  return () => {
    if (!last || now() - last.at >= everyMs) {
      last = { at: now(), answer: withTimeout(ask(), timeoutMs) }
    }

    return last.answer
  }
}

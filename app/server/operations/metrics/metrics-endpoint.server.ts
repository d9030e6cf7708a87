import { createHash, timingSafeEqual } from 'node:crypto'
import type { MiddlewareHandler } from 'hono'
import type { Registry } from 'prom-client'
import { db } from '../../database/client.server'
import { readOutboxFigures } from '../../mail/outbox.server'
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

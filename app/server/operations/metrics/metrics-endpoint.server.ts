import { createHash, timingSafeEqual } from 'node:crypto'
import type { MiddlewareHandler } from 'hono'
import type { Registry } from 'prom-client'
import { db } from '../../database/client.server'
import { readOutboxFigures } from '../../mail/outbox.server'
import { withTimeout } from '../readiness.server'

/** The numbers of the outbox are read from the database at most this often. */
const outboxReadIntervalMs = 5_000
const databaseTimeoutMs = 2_000

let metricsRegistry: Promise<Registry> | null = null

/** Creates the metrics at the first request, because most installations don't use them. */
function openMetrics(build: string): Promise<Registry> {
  metricsRegistry ??= import('./metrics.server').then(({ createMetrics }) => {
    const readOutboxOrNull = () => readOutboxFigures(db).catch(() => null)
    const readOutbox = throttle(readOutboxOrNull, outboxReadIntervalMs, databaseTimeoutMs)
    return createMetrics({ build, readOutbox })
  })
  return metricsRegistry
}

/** Responds to `/metrics` if the request has the token. Otherwise the response is 404. */
export function sendMetrics(token: string, build: string): MiddlewareHandler {
  return async (context, next) => {
    if (!hasBearerToken(context.req.header('authorization'), token)) {
      return next()
    }

    const metrics = await openMetrics(build)
    const headers = { 'Content-Type': metrics.contentType, 'Cache-Control': 'no-store' }

    return context.body(await metrics.metrics(), 200, headers)
  }
}

/** Returns whether a header has the token. The comparison takes constant time. */
function hasBearerToken(header: string | undefined, token: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(header ?? ''), digest(`Bearer ${token}`))
}

/**
 * Returns a function that reads a value at most once per interval, however often it is called.
 *
 * @param read never rejects
 * @returns a function that returns the last value, or null if reading took longer than `timeoutMs`
 */
export function throttle<T>(
  read: () => Promise<T | null>,
  intervalMs: number,
  timeoutMs: number,
  now = () => performance.now(),
): () => Promise<T | null> {
  let lastRead: { startedAt: number; value: Promise<T | null> } | null = null
  return () => {
    if (!lastRead || now() - lastRead.startedAt >= intervalMs) {
      lastRead = { startedAt: now(), value: withTimeout(read(), timeoutMs) }
    }

    return lastRead.value
  }
}

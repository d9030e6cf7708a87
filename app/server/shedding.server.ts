import type { Context, MiddlewareHandler } from 'hono'
import { env } from './env.server'
import { currentLoad } from './load.server'
import { log } from './log.server'
import { watchTurns } from './metrics/turns.server'
import { findPublicAddress } from './public-pages.server'
import { readiness } from './readiness.server'
import { refusal } from './refusal.server'
import { readingMethods } from './request-checks.server'
import { busy } from './server-messages.server'
import { isRefused, type Load, nextLevel, type Work, works } from './shedding'

const secondMs = 1_000
const warning = 'Learnify is behind with its work and refuses some of it.'

type Parts = { measure(): Load; shedAfterMs: number; now?(): number; onChange?(level: number): void }

/** Refuses work while this process is behind with it; asks how far behind once a second, and only when somebody comes. */
export class Shedding {
  readonly #parts: Required<Parts>
  #level = 0
  #measuredAt = Number.NEGATIVE_INFINITY
  readonly refused: Record<Work, number> = {
    costly: 0,
    rendering: 0,
    'sign-in': 0,
    page: 0,
    data: 0,
    report: 0,
  }

  constructor(parts: Parts) {
    this.#parts = { now: () => performance.now(), onChange() {}, ...parts }
  }

  /** Counts what it refuses. */
  refuses(work: Work): boolean {
    if (!isRefused(work, this.level)) return false
    this.refused[work] += 1
    return true
  }

  /** 0 while everything is answered. */
  get level(): number {
    const now = this.#parts.now()
    if (now - this.#measuredAt < secondMs) return this.#level
    const passed = Math.floor((now - this.#measuredAt) / secondMs)
    this.#measuredAt = now
    // Every second without a look would have been one level less.
    const before = Math.max(0, this.#level - Math.min(passed - 1, this.#level))
    const level = nextLevel(before, this.#parts.measure(), this.#parts.shedAfterMs)
    if (level !== this.#level) this.#parts.onChange(level)
    this.#level = level
    return level
  }
}

/** The process's own. */
export const shedding = new Shedding({
  measure() {
    const { eventLoopDelayMs, pool } = currentLoad()
    return { delayMs: eventLoopDelayMs.mean, waiting: pool ? pool.waiting / pool.size : 0 }
  },
  shedAfterMs: env.SHED_AFTER_MS,
  onChange(level) {
    readiness.warn('load', level > 0 ? warning : null)
    log.warn(
      { level, ...currentLoad() },
      level > 0 ? 'behind with work: refuses some of it' : 'no work is refused any more',
    )
  },
})

for (const work of works)
  watchTurns(`shed-${work}`, () => ({ running: 0, waiting: 0, refused: shedding.refused[work] }))

/** For `/readyz`: its warning ends also when nobody asks for what may be refused. */
export const lookAtLoad: MiddlewareHandler = (_context, next) => {
  void shedding.level
  return next()
}

/** Refuses a request before any of its work is done. A public page is refused where it would be rendered. */
export function shedWork(workOf: (method: string, path: string) => Work, current = shedding): MiddlewareHandler {
  return async (context, next) => {
    const { method, path, url } = context.req
    if (current.level === 0) return next()
    const work = workOf(method, path)
    const isReading = (work === 'page' || work === 'data') && readingMethods.has(method)
    if (isReading && findPublicAddress(new URL(url)) !== null) return next()
    if (!current.refuses(work)) return next()
    context.res = busyAnswer(context)
  }
}

export function busyAnswer(context: Context): Response {
  const answer = refusal(context, 'busy', busy)
  answer.headers.set('Retry-After', retryAfterSeconds())
  return answer
}

/** Long enough to fall a level, and not always the same, so that visitors don't come back together. */
export function retryAfterSeconds(): string {
  return String(2 + Math.floor(Math.random() * 4))
}

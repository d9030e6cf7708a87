import { databaseQuerySeconds, databaseWaitSeconds } from '../metrics/counters.server'
import { currentTrace, type RequestTrace } from '../request-trace.server'
import type { Question } from './postgres-question'

/** Counts and times the questions of one pool, for its figures and for the requests that ask them. */
export class QueryClock {
  waiting = 0
  running = 0

  ask(): QueryTurn {
    this.waiting += 1
    return new QueryTurn(this)
  }
}

/** One question or transaction, from the moment it is asked. */
export class QueryTurn {
  readonly #trace: RequestTrace | undefined
  readonly #askedAt: number
  #begunAt = 0
  #ended = false

  constructor(private clock: QueryClock) {
    this.#trace = currentTrace()
    this.#askedAt = performance.now()
  }

  /** A connection takes it up. */
  begin(): void {
    if (this.#begunAt > 0 || this.#ended) return
    this.#begunAt = performance.now()
    this.clock.running += 1
    this.#noteWait(this.#begunAt)
  }

  /** Also for one that failed before it was taken up. */
  end(): void {
    if (this.#ended) return
    this.#ended = true
    const now = performance.now()
    if (this.#begunAt === 0) {
      this.#noteWait(now)
      return
    }
    this.clock.running -= 1
    const tookMs = now - this.#begunAt
    databaseQuerySeconds.observe(tookMs / 1000)
    if (!this.#trace) return
    this.#trace.queries += 1
    this.#trace.sqlMs += tookMs
  }

  #noteWait(until: number): void {
    this.clock.waiting -= 1
    const waitedMs = until - this.#askedAt
    databaseWaitSeconds.observe(waitedMs / 1000)
    if (this.#trace) this.#trace.poolMs += waitedMs
  }
}

/** A connection that is free takes a question at once; postgres.js tells nobody when one that waited is taken. */
export function beginWhenActive(question: Pick<Question, 'active'>, turn: QueryTurn | null): void {
  if (!turn) return
  if (question.active) {
    turn.begin()
    return
  }
  let active = false
  Object.defineProperty(question, 'active', {
    get: () => active,
    set: (value: boolean) => {
      active = value
      if (value) turn.begin()
    },
  })
}

/** How long what was played may stay with the browser before it is sent, and how long until the next try. */
export const sendAfterMs = 8_000
export const studySentAfterMs = 30_000
export const retryAfterMs = 10_000

/** Sends what waits at the earliest moment that anyone asked for. */
export class SendTimer {
  readonly #now: () => number
  readonly #send: () => void
  #dueAt = Number.POSITIVE_INFINITY
  #timer: ReturnType<typeof setTimeout> | undefined

  /** @param now milliseconds since any moment. */
  constructor(now: () => number, send: () => void) {
    this.#now = now
    this.#send = send
  }

  within(ms: number): void {
    const dueAt = this.#now() + ms
    if (dueAt >= this.#dueAt) return
    this.stop()
    this.#dueAt = dueAt
    this.#timer = setTimeout(this.#send, ms)
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#dueAt = Number.POSITIVE_INFINITY
  }
}

/**
 * The server's time in the browser. It runs by the monotonic clock, so that a learner's wrong or
 * changed clock makes no report implausible; every answer of the server brings it forward again,
 * for example after the computer slept.
 */
export class VisitClock {
  readonly #monotonic: () => number
  #serverMs: number
  #readAt: number

  /** @param monotonic milliseconds since any fixed point, like `performance.now`. */
  constructor(serverMs: number, monotonic: () => number = () => performance.now()) {
    this.#monotonic = monotonic
    this.#serverMs = serverMs
    this.#readAt = monotonic()
  }

  /** Whole milliseconds since 1970, never ahead of the server. */
  now(): number {
    return Math.round(this.#serverMs + this.#monotonic() - this.#readAt)
  }

  /** Monotonic, so that measured times stay in order. */
  moveForwardTo(serverMs: number): void {
    if (serverMs <= this.now()) {
      return
    }

    this.#serverMs = serverMs
    this.#readAt = this.#monotonic()
  }
}

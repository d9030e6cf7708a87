const windowMs = 10 * 60_000
const mostInWindow = 5
const mostAtOnce = 2
/** Behind those that are being made. */
const mostWaiting = 20
const mostRemembered = 10_000

/** `too-often`: this account has asked too much. `busy`: too many others wait. */
export type ArchiveRefusal = 'too-often' | 'busy'

/**
 * Decides who may have an archive made, and when. An archive holds a whole account in memory, so an account gets one at a
 * time and a few in ten minutes, and the process makes a few at a time, while others wait. Each process counts for itself.
 */
export class ArchiveTurns {
  /** Whose archive is being made or waits. */
  readonly #asking = new Set<string>()
  readonly #waiting: (() => void)[] = []
  #running = 0
  readonly #begun = new Map<string, number[]>()

  constructor(private readonly now: () => number = () => performance.now()) {}

  async take<Made extends object>(uid: string, make: () => Promise<Made>): Promise<Made | ArchiveRefusal> {
    const recent = (this.#begun.get(uid) ?? []).filter((moment) => this.now() - moment < windowMs)
    if (this.#asking.has(uid) || recent.length >= mostInWindow) return 'too-often'
    if (this.#asking.size >= mostAtOnce + mostWaiting) return 'busy'
    this.#remember(uid, [...recent, this.now()])
    this.#asking.add(uid)
    try {
      return await this.#inTurn(make)
    } finally {
      this.#asking.delete(uid)
    }
  }

  async #inTurn<Made>(make: () => Promise<Made>): Promise<Made> {
    if (this.#running < mostAtOnce) this.#running += 1
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    try {
      return await make()
    } finally {
      // Whoever waits longest takes over the place.
      const next = this.#waiting.shift()
      if (next) next()
      else this.#running -= 1
    }
  }

  #remember(uid: string, moments: number[]): void {
    this.#begun.delete(uid)
    this.#begun.set(uid, moments)
    const [oldest] = this.#begun.keys()
    if (this.#begun.size > mostRemembered && oldest !== undefined) this.#begun.delete(oldest)
  }
}

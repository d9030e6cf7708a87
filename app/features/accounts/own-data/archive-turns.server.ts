const windowMs = 10 * 60_000
const mostInWindow = 5
const mostAtOnce = 2
const mostRemembered = 10_000

/**
 * Decides who may have an archive made now. An archive holds a whole account in memory, so an account gets one at a
 * time and a few in ten minutes, and the process a few at a time. Each process counts for itself.
 */
export class ArchiveTurns {
  readonly #underWay = new Set<string>()
  readonly #begun = new Map<string, number[]>()

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** @returns null when it is not this account's turn. */
  async take<Made>(uid: string, make: () => Promise<Made>): Promise<Made | null> {
    const recent = (this.#begun.get(uid) ?? []).filter((moment) => this.now() - moment < windowMs)
    const busy = this.#underWay.has(uid) || this.#underWay.size >= mostAtOnce
    if (busy || recent.length >= mostInWindow) return null
    this.#remember(uid, [...recent, this.now()])
    this.#underWay.add(uid)
    try {
      return await make()
    } finally {
      this.#underWay.delete(uid)
    }
  }

  #remember(uid: string, moments: number[]): void {
    this.#begun.delete(uid)
    this.#begun.set(uid, moments)
    const [oldest] = this.#begun.keys()
    if (this.#begun.size > mostRemembered && oldest !== undefined) this.#begun.delete(oldest)
  }
}

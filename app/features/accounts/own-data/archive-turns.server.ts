const windowMs = 10 * 60_000
const mostInWindow = 5
const mostAtOnce = 2
/** Behind those that are being made. */
const mostWaiting = 20
const mostRemembered = 10_000

/** `too-often`: this account has asked too much. `busy`: too many others wait. */
export type ArchiveRefusal = 'too-often' | 'busy'

/** `end` gives it to whoever waits longest; twice is once. */
export type ArchiveTurn = { end(): void }

/**
 * Decides who may have an archive made, and when. An archive reads a whole account in one transaction, so an account gets one
 * at a time and a few in ten minutes, and the process makes a few at a time, while others wait. Each process counts for itself.
 */
export class ArchiveTurns {
  /** Whose archive is being made or waits. */
  readonly #asking = new Set<string>()
  readonly #waiting: (() => void)[] = []
  #running = 0
  readonly #begun = new Map<string, number[]>()

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** @param patience ends the wait, and whoever waited is refused as 'busy'. */
  async take(uid: string, patience?: AbortSignal): Promise<ArchiveTurn | ArchiveRefusal> {
    const recent = (this.#begun.get(uid) ?? []).filter((moment) => this.now() - moment < windowMs)
    if (this.#asking.has(uid) || recent.length >= mostInWindow) return 'too-often'
    if (this.#asking.size >= mostAtOnce + mostWaiting) return 'busy'
    this.#asking.add(uid)
    if (this.#running < mostAtOnce) this.#running += 1
    else if (!(await this.#wait(patience))) {
      this.#asking.delete(uid)
      return 'busy'
    }
    this.#remember(uid, [...recent, this.now()])
    let ended = false
    return {
      end: () => {
        if (!ended) this.#end(uid)
        ended = true
      },
    }
  }

  /** @returns whether it is this one's turn now. */
  #wait(patience: AbortSignal | undefined): Promise<boolean> {
    return new Promise((resolve) => {
      const begin = () => {
        patience?.removeEventListener('abort', leave)
        resolve(true)
      }
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(begin), 1)
        resolve(false)
      }
      this.#waiting.push(begin)
      if (patience?.aborted) leave()
      else patience?.addEventListener('abort', leave, { once: true })
    })
  }

  #end(uid: string): void {
    this.#asking.delete(uid)
    const next = this.#waiting.shift()
    if (next) next()
    else this.#running -= 1
  }

  #remember(uid: string, moments: number[]): void {
    this.#begun.delete(uid)
    this.#begun.set(uid, moments)
    const [oldest] = this.#begun.keys()
    if (this.#begun.size > mostRemembered && oldest !== undefined) this.#begun.delete(oldest)
  }
}

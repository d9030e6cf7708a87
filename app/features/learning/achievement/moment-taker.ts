import type { TakenMoment } from './earned-moment'

/** What was in view for so long has been seen, and leaves with its page. */
const seenAfterMs = 3_000

type Parts = {
  /** The server, for the next moment; undefined when it could not be asked. */
  ask(): Promise<TakenMoment | null | undefined>
  /** Tells the server that these were in view; until then another page may show them later. */
  tell(events: readonly string[]): void
  isHidden(): boolean
  now(): number
  onChange(): void
}

/** The moment that a tab took from the server and shows. It outlives the page that took it. */
export class MomentTaker {
  readonly #parts: Parts
  #shown: (TakenMoment & { uid: string; since: number; told: boolean }) | null = null
  #asking = false
  /** Asked for while the server was being asked. */
  #askNext: string | null = null
  #page = ''

  constructor(parts: Parts) {
    this.#parts = parts
  }

  get shown() {
    return this.#shown
  }

  /** A tab that nobody looks at leaves it to the one that is looked at. @returns whether the server is asked. */
  async take(uid: string): Promise<boolean> {
    if (this.#shown?.uid === uid || this.#parts.isHidden()) return false
    if (this.#asking) {
      this.#askNext = uid
      return true
    }
    this.#asking = true
    const taken = await this.#parts.ask()
    this.#asking = false
    if (taken) this.#change({ ...taken, uid, since: this.#parts.now(), told: false })
    const next = this.#askNext
    this.#askNext = null
    if (next !== null) void this.take(next)
    return true
  }

  /** The page drew it; whether anybody sees the page is another question. */
  drawn(): void {
    if (!this.#shown || this.#shown.told || this.#parts.isHidden()) return
    this.#shown.told = true
    this.#parts.tell(this.#shown.events)
  }

  /** It was seen; the next one may come. */
  drop(): void {
    const uid = this.#shown?.uid
    this.#change(null)
    if (uid !== undefined) void this.take(uid)
  }

  openPage(page: string): void {
    const isOther = page !== this.#page
    this.#page = page
    if (isOther && this.#shown && this.#parts.now() - this.#shown.since > seenAfterMs) this.drop()
  }

  #change(next: typeof this.shown): void {
    this.#shown = next
    this.#parts.onChange()
  }
}

import type { EarnedMoment } from './earned-moment'

/** What was in view for so long has been seen, and leaves with its page. */
const seenAfterMs = 3_000

type Parts = {
  /** The server, for the next moment; undefined when it could not be asked. */
  ask(): Promise<EarnedMoment | null | undefined>
  isHidden(): boolean
  now(): number
  onChange(): void
}

/** The moment that a tab took from the server and shows. It outlives the page that took it. */
export class MomentTaker {
  readonly #parts: Parts
  #shown: { uid: string; moment: EarnedMoment; since: number } | null = null
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
    const moment = await this.#parts.ask()
    this.#asking = false
    if (moment) this.#change({ uid, moment, since: this.#parts.now() })
    const next = this.#askNext
    this.#askNext = null
    if (next !== null) void this.take(next)
    return true
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

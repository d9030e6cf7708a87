import { type Database, db, directUrl } from './database/client.server'
import { openSingleConnection } from './database/single-connection.server'
import { log } from './log.server'
import type { Maintenance } from './maintenance-words'
import { pageCache } from './page-cache.server'
import { changeChannel, listChanges, type ProductState, readProductState } from './product-state.server'
import { readiness } from './readiness.server'
import { apartFromRequest } from './request-trace.server'

const everyMs = 1_000
/** Of the interval: processes that start together don't ask together. */
const jitter = 0.2
/** Without a request for this long, nothing is asked any more. */
const quietAfterMs = 60_000
/** However many changes are announced, the row is read this often at most. */
const leastPauseMs = 200
/** How long the first request after a quiet time waits for a database that may be away. */
const patienceMs = 1_000

type Parts = {
  read(known: number | null): Promise<ProductState>
  /** Hears what changed; null for everything. */
  onChange(subjects: readonly string[] | null): void
  now?(): number
}

/** What this process knows of the changes that any process made: read once a second while somebody asks for pages. */
export class ProductWatch {
  readonly #parts: Required<Parts>
  #known: number | null = null
  #history: string | null = null
  #maintenance: Maintenance | null = null
  #asked = true
  #awake = false
  #quietSince = 0
  #readAt = 0
  #timer: NodeJS.Timeout | undefined
  #heard: NodeJS.Timeout | undefined
  #reading: Promise<void> | null = null
  #next: Promise<void> | null = null
  #waking: Promise<void> | null = null

  constructor(parts: Parts) {
    this.#parts = { now: () => performance.now(), ...parts }
  }

  /** The version that kept pages are up to date with; null before the first look. */
  get known(): number | null {
    return this.#known
  }

  /** What visitors are told while changes are refused; as of the last look. */
  get maintenance(): Maintenance | null {
    return this.#maintenance
  }

  /** Notes that somebody asks for a page. @returns false after a quiet time: `settle` first. */
  noteRequest(): boolean {
    this.#asked = true
    return this.#awake
  }

  /**
   * Before a page is sent: after a quiet time it takes a look first, which it waits for only so long.
   *
   * @param version that the page must not be behind.
   */
  async settle(version = 0): Promise<void> {
    this.#asked = true
    if (!this.#awake) {
      this.#waking ??= apartFromRequest(() => this.#wake()).finally(() => {
        this.#waking = null
      })
      await this.#waking
    }
    if ((this.#known ?? 0) < version) await this.#checkInTime()
  }

  /** A change was announced. */
  hear(version: number): void {
    if (!this.#awake || version === this.#known || this.#heard) return
    const pause = Math.max(0, this.#readAt + leastPauseMs - this.#parts.now())
    this.#heard = setTimeout(() => {
      this.#heard = undefined
      void this.check()
    }, pause).unref()
  }

  /** Takes a look that begins now; a failure is made good by the next one. */
  check(): Promise<void> {
    // One that is under way may have begun before the change that the caller knows of.
    this.#next ??= Promise.resolve(this.#reading).then(() => {
      this.#next = null
      this.#reading = this.#read().finally(() => {
        this.#reading = null
      })
      return this.#reading
    })
    return this.#next
  }

  stop(): void {
    this.#awake = false
    clearTimeout(this.#timer)
    clearTimeout(this.#heard)
  }

  async #wake(): Promise<void> {
    await this.#checkInTime()
    this.#awake = true
    this.#quietSince = this.#parts.now()
    this.#schedule()
  }

  async #checkInTime(): Promise<void> {
    let impatience: NodeJS.Timeout | undefined
    const late = new Promise<void>((resolve) => {
      impatience = setTimeout(resolve, patienceMs)
    })
    await Promise.race([this.check(), late])
    clearTimeout(impatience)
  }

  #schedule(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#tick(), everyMs * (1 - jitter + 2 * jitter * Math.random())).unref()
  }

  #tick(): void {
    const now = this.#parts.now()
    if (this.#asked) this.#quietSince = now
    this.#asked = false
    if (now - this.#quietSince >= quietAfterMs) {
      this.#awake = false
      return
    }
    this.#schedule()
    // While the database is slow, no look waits behind another.
    if (!this.#reading) void this.check()
  }

  #setMaintenance(maintenance: Maintenance | null): void {
    if (Boolean(maintenance) !== Boolean(this.#maintenance))
      log.warn(maintenance ? 'maintenance mode is on' : 'maintenance mode is off')
    this.#maintenance = maintenance
    readiness.warn('maintenance', maintenance && 'Maintenance mode is on: changes and signed-in pages are refused.')
  }

  async #read(): Promise<void> {
    this.#readAt = this.#parts.now()
    try {
      const state = await this.#parts.read(this.#known)
      const { version, history = null } = state
      const isFollowed = this.#known !== null && history === this.#history
      const changes = isFollowed ? listChanges(this.#known ?? 0, state) : null
      this.#known = version
      this.#history = history
      this.#setMaintenance(state.maintenance ?? null)
      if (changes?.length !== 0) this.#parts.onChange(changes)
    } catch (error) {
      log.debug({ err: error }, 'the state of the product could not be read')
    }
  }
}

let watched: Database | null = null

/** The process's own. */
export const productWatch = new ProductWatch({
  read: (known) => (watched ? readProductState(watched, known) : Promise.resolve({ version: 0, changes: [] })),
  onChange: (subjects) => pageCache.change(subjects),
})

/** Follows the changes of a database, at once where a connection of one's own can listen. @returns what ends it. */
export async function followChanges(database: Database = db, listenAt = directUrl()): Promise<() => Promise<void>> {
  watched = database
  await productWatch.settle()
  const stopListening = listenAt ? listen(listenAt) : async () => {}
  return async () => {
    productWatch.stop()
    await stopListening()
  }
}

/** It comes back by itself after a lost connection; until then, and where it never can, the look of each second is enough. */
function listen(url: string): () => Promise<void> {
  const sql = openSingleConnection(url, 'listen')
  sql
    .listen(
      changeChannel,
      (version) => productWatch.hear(Number(version)),
      () => void productWatch.check(),
    )
    .catch((error) => log.debug({ err: error }, 'changes are not listened to yet'))
  return () => sql.end({ timeout: 1 })
}

import type { Outcome } from './delivery'
import { browserEntryStore, type Entry, type EntryStore } from './entry-store'

/** The outcome of an entry. Senders may add data of the response for their pages. */
export type Result = {
  outcome: Outcome
  /** Replaces the entry's body. */
  body?: unknown
  /** The sentence that says why the server refused it. */
  refusal?: string
}

/** Entries that are sent in the same way; each feature has its own. */
export type Kind<Body, Sent extends Result = Result> = {
  name: string
  /** Whether a visitor's entries are sent for the learner who signs in. */
  takesVisitors?: boolean
  /** @param uid the learner who should be signed in. */
  send(entry: Entry<Body>, options: { uid: string; leaving: boolean }): Promise<Sent>
}

/** A draft's kind is never sent. */
type AnyKind<Body> = { name: string; send?(entry: Entry<Body>, options: never): unknown }

/** @returns true if this page waits for the entry and shows its outcome. */
type Listener = (entry: Entry, result: Result) => boolean

/** How long a held-back entry stays in the outbox. */
const heldBackMs = 30 * 86_400_000
const retriesMs = [1_000, 2_000, 5_000, 10_000]
const unsettled: readonly Outcome[] = ['held-back', 'signed-out', 'unreachable']

/**
 * Learners' input, stored in this browser until the server has it.
 *
 * - An entry is stored before it is sent: it survives a reload, a closed tab, no network and a dead
 * server.
 * - Entries of one kind are sent in order, by one tab at a time, and only while their learner is
 * signed in.
 * - Sending twice changes nothing: the server recognizes an entry by its content.
 * - Without storage, as in some private windows, entries wait in this page's memory.
 */
export class Outbox {
  readonly #store: EntryStore
  readonly #otherTabs: BroadcastChannel | null
  /** Entries that storage does not have, or not yet. */
  readonly #inMemory = new Map<string, Entry>()
  readonly #listeners = new Set<Listener>()
  readonly #deliveryListeners = new Set<(entry: Entry) => void>()
  /**
   * Queued deliveries by kind and learner; each includes all entries that are added before it
   * starts.
   */
  readonly #waiting = new Map<string, Promise<boolean>>()
  /** Sendings that have begun, for browsers without locks. */
  readonly #running = new Map<string, Promise<unknown>>()
  readonly #retries = new Map<string, { failures: number; timer: ReturnType<typeof setTimeout> }>()

  constructor(store: EntryStore, otherTabs: BroadcastChannel | null = null) {
    this.#store = store
    this.#otherTabs = otherTabs
    otherTabs?.addEventListener('message', ({ data }) => this.#tellAll(data.entry, data.result))
  }

  /** @returns the entry, and whether the browser's storage has it, not only this page. */
  put<Body>(kind: AnyKind<Body>, { key, uid, body }: Pick<Entry<Body>, 'key' | 'uid' | 'body'>) {
    const entry: Entry<Body> = {
      key,
      kind: kind.name,
      uid,
      body,
      putAt: Date.now(),
      version: Math.random(),
    }

    return { entry, stored: this.#keep(entry) }
  }

  async #keep(entry: Entry): Promise<boolean> {
    this.#inMemory.set(entry.key, entry)
    try {
      await this.#store.put(entry)
    } catch {
      return false
    }

    this.#leaveMemory(entry)

    return true
  }

  #leaveMemory({ key, version }: Pick<Entry, 'key' | 'version'>): void {
    if (this.#inMemory.get(key)?.version === version) {
      this.#inMemory.delete(key)
    }
  }

  async #listAll(): Promise<Entry[]> {
    const stored = await this.#store.list().catch(() => [])
    const newest = new Map(
      [...stored, ...this.#inMemory.values()].map((entry) => [entry.key, entry]),
    )
    return [...newest.values()].sort((one, other) => one.putAt - other.putAt)
  }

  /** Oldest first. */
  async list<Body>(kind: AnyKind<Body>): Promise<Entry<Body>[]> {
    return (await this.#listAll()).filter((entry): entry is Entry<Body> => entry.kind === kind.name)
  }

  /** Does nothing if the entry was replaced meanwhile. */
  async remove(entry: Pick<Entry, 'key' | 'version'>): Promise<void> {
    this.#leaveMemory(entry)
    await this.#store.remove(entry).catch(() => {})
  }

  /** Leaves what is put meanwhile. */
  async removeAll(isMeant: (entry: Entry) => boolean): Promise<void> {
    const now = Date.now()
    const entries = (await this.#listAll()).filter((entry) => entry.putAt <= now && isMeant(entry))
    await Promise.all(entries.map((entry) => this.remove(entry)))
  }

  /**
   * Reports the outcome of a kind's entries, also if another tab sent them.
   *
   * @returns unsubscribes.
   */
  listen<Body, Sent extends Result>(
    kind: Kind<Body, Sent>,
    listener: (entry: Entry<Body>, result: Sent) => boolean,
  ): () => void {
    const ofKind: Listener = (entry, result) =>
      entry.kind === kind.name && listener(entry as Entry<Body>, result as Sent)
    this.#listeners.add(ofKind)
    return () => this.#listeners.delete(ofKind)
  }

  /** Reports delivered entries that no open page waits for. @returns unsubscribes. */
  listenToOtherDeliveries(listener: (entry: Entry) => void): () => void {
    this.#deliveryListeners.add(listener)
    return () => this.#deliveryListeners.delete(listener)
  }

  /** @returns whether a page waits for the entry. */
  #tellPages(entry: Entry, result: Result): boolean {
    return [...this.#listeners].filter((listener) => listener(entry, result)).length > 0
  }

  #tellAll(entry: Entry, result: Result): boolean {
    const pageWaits = this.#tellPages(entry, result)
    if (!pageWaits && result.outcome === 'delivered') {
      for (const listener of this.#deliveryListeners) {
        listener(entry)
      }
    }

    return pageWaits
  }

  /**
   * Sends now, and whenever the network or the learner comes back to this page.
   *
   * @returns stops it.
   */
  watch(kinds: readonly Kind<never>[], uid: string): () => void {
    const sendAll = () => {
      for (const kind of kinds) {
        void this.send(kind, uid)
      }
    }
    const sendWhenVisible = () => document.visibilityState === 'visible' && sendAll()
    sendAll()
    window.addEventListener('online', sendAll)
    document.addEventListener('visibilitychange', sendWhenVisible)

    return () => {
      window.removeEventListener('online', sendAll)
      document.removeEventListener('visibilitychange', sendWhenVisible)
    }
  }

  /** Sends the waiting entries of a kind. @returns true if the server accepted any. */
  send<Body, Sent extends Result>(kind: Kind<Body, Sent>, uid: string): Promise<boolean> {
    const line = `${kind.name} ${uid}`
    const waiting = this.#waiting.get(line)
    if (waiting) {
      return waiting
    }

    const begin = () => {
      this.#waiting.delete(line)
      return this.#sendAll(kind, uid)
    }
    const sending = Promise.resolve().then(() =>
      this.#inTurn(`learnify-outbox ${kind.name}`, begin),
    )
    this.#waiting.set(line, sending)

    return sending
  }

  /**
   * One at a time: in all tabs where the browser has locks (they need HTTPS), otherwise in this
   * page.
   */
  #inTurn(name: string, work: () => Promise<boolean>): Promise<boolean> {
    if (globalThis.navigator?.locks) {
      return navigator.locks.request(name, work)
    }

    const turn = (this.#running.get(name) ?? Promise.resolve()).then(work)
    this.#running.set(name, turn)

    return turn
  }

  async #sendAll<Body, Sent extends Result>(kind: Kind<Body, Sent>, uid: string): Promise<boolean> {
    const sent = new Set<number>()
    let tookAny = false
    let retry = false
    // Listed again after each, because entries may have been added or replaced.
    for (;;) {
      const entries = (await this.list(kind)).filter(
        (entry) => entry.uid === uid || (kind.takesVisitors && !entry.uid),
      )
      const next = entries.find(({ version }) => !sent.has(version))
      if (!next) {
        break
      }

      const result = await kind.send(next, { uid, leaving: false })
      if (result.outcome !== 'replaced') {
        sent.add(next.version)
      }

      await this.#settle(next, result)
      this.#otherTabs?.postMessage({ entry: next, result })
      const pageWaits = this.#tellAll(next, result)
      if (result.outcome === 'delivered') {
        tookAny = true
      }

      // After a sign-out or leaving the course, only open pages wait for their entries.
      if (result.outcome === 'unreachable' || (unsettled.includes(result.outcome) && pageWaits)) {
        retry = true
      }

      if (result.outcome === 'unreachable' || result.outcome === 'signed-out') {
        break
      }
    }

    this.#planRetry(kind, uid, retry)

    return tookAny
  }

  /**
   * Sends at once, as the last thing that a page does: there is no time left to wait for a turn.
   */
  async sendLeaving<Body, Sent extends Result>(
    kind: Kind<Body, Sent>,
    entry: Entry<Body>,
  ): Promise<void> {
    const result = await kind.send(entry, { uid: entry.uid ?? '', leaving: true })
    await this.#settle(entry, result)
    // Only for this page: the next page reads fresh data anyway.
    this.#tellPages(entry, result)
  }

  async #settle(entry: Entry, { outcome, body }: Result): Promise<void> {
    const inVain = outcome === 'held-back' && Date.now() - entry.putAt > heldBackMs
    if (outcome === 'delivered' || outcome === 'refused' || inVain) {
      await this.remove(entry)
    }

    if (outcome === 'replaced') {
      await this.#replace(entry, body)
    }
  }

  /** A later entry with the same key stays. */
  async #replace(entry: Entry, body: unknown): Promise<void> {
    const current = (await this.#listAll()).find(({ key }) => key === entry.key)
    if (current?.version === entry.version) {
      await this.#keep({ ...entry, body })
    }
  }

  #planRetry<Body, Sent extends Result>(kind: Kind<Body, Sent>, uid: string, retry: boolean): void {
    const { failures = 0, timer } = this.#retries.get(kind.name) ?? {}
    clearTimeout(timer)
    if (!retry) {
      this.#retries.delete(kind.name)
      return
    }

    const waitMs = retriesMs[Math.min(failures, retriesMs.length - 1)]
    this.#retries.set(kind.name, {
      failures: failures + 1,
      timer: setTimeout(() => void this.send(kind, uid), waitMs),
    })
  }
}

/** The outbox of this browser. */
export const outbox = new Outbox(
  browserEntryStore(),
  import.meta.env.SSR || !('BroadcastChannel' in globalThis)
    ? null
    : new BroadcastChannel('learnify-outbox'),
)

import type { Outcome } from './delivery'
import { browserEntryStore, type Entry, type EntryStore } from './entry-store'

/** The outcome of an entry. Senders may add data of the response for their pages. */
export type Result = {
  outcome: Outcome
  /** The new body of the entry, if the outcome is `replaced`. */
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

/** The kind of any entry. Drafts have a kind without `send`, because they are never sent. */
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

  /** Returns the entries of a kind, oldest first. */
  async list<Body>(kind: AnyKind<Body>): Promise<Entry<Body>[]> {
    return (await this.#listAll()).filter((entry): entry is Entry<Body> => entry.kind === kind.name)
  }

  /** Removes an entry, unless a later entry with the same key has replaced it. */
  async remove(entry: Pick<Entry, 'key' | 'version'>): Promise<void> {
    this.#leaveMemory(entry)
    await this.#store.remove(entry).catch(() => {})
  }

  /** Removes the matching entries. Entries that are added during the removal stay. */
  async removeAll(shouldRemove: (entry: Entry) => boolean): Promise<void> {
    const now = Date.now()
    const entries = (await this.#listAll()).filter(
      (entry) => entry.putAt <= now && shouldRemove(entry),
    )
    await Promise.all(entries.map((entry) => this.remove(entry)))
  }

  /**
   * Reports the outcome of each entry of a kind, even if another tab sent the entry.
   *
   * @returns a function that unsubscribes
   */
  listen<Body, Sent extends Result>(
    kind: Kind<Body, Sent>,
    listener: (entry: Entry<Body>, result: Sent) => boolean,
  ): () => void {
    const kindListener: Listener = (entry, result) =>
      entry.kind === kind.name && listener(entry as Entry<Body>, result as Sent)
    this.#listeners.add(kindListener)
    return () => this.#listeners.delete(kindListener)
  }

  /**
   * Reports delivered entries that no open page waits for.
   *
   * @returns a function that unsubscribes
   */
  listenToOtherDeliveries(listener: (entry: Entry) => void): () => void {
    this.#deliveryListeners.add(listener)
    return () => this.#deliveryListeners.delete(listener)
  }

  /** @returns whether a page waits for the entry. */
  #tellPages(entry: Entry, result: Result): boolean {
    return [...this.#listeners].filter((listener) => listener(entry, result)).length > 0
  }

  #tellAll(entry: Entry, result: Result): boolean {
    const isPageWaiting = this.#tellPages(entry, result)
    if (!isPageWaiting && result.outcome === 'delivered') {
      for (const listener of this.#deliveryListeners) {
        listener(entry)
      }
    }

    return isPageWaiting
  }

  /**
   * Sends now, and whenever the network or the learner comes back to this page.
   *
   * @returns a function that stops watching
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
    const queueName = `${kind.name} ${uid}`
    const waiting = this.#waiting.get(queueName)
    if (waiting) {
      return waiting
    }

    const begin = () => {
      this.#waiting.delete(queueName)
      return this.#sendAll(kind, uid)
    }
    const sending = Promise.resolve().then(() =>
      this.#runInTurn(`learnify-outbox ${kind.name}`, begin),
    )
    this.#waiting.set(queueName, sending)

    return sending
  }

  /**
   * Runs tasks with the same name one after the other. With HTTPS, browsers have locks, which order
   * the tasks of all tabs. Without locks, only the tasks of this page are ordered.
   */
  #runInTurn(name: string, task: () => Promise<boolean>): Promise<boolean> {
    if (globalThis.navigator?.locks) {
      return navigator.locks.request(name, task)
    }

    const turn = (this.#running.get(name) ?? Promise.resolve()).then(task)
    this.#running.set(name, turn)

    return turn
  }

  async #sendAll<Body, Sent extends Result>(kind: Kind<Body, Sent>, uid: string): Promise<boolean> {
    const sent = new Set<number>()
    let hasDelivered = false
    let shouldRetry = false
    // The list is read again after each entry, because entries may have been added or replaced.
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
      const isPageWaiting = this.#tellAll(next, result)
      if (result.outcome === 'delivered') {
        hasDelivered = true
      }

      // After a sign-out or leaving the course, only open pages wait for their entries.
      if (
        result.outcome === 'unreachable' ||
        (unsettled.includes(result.outcome) && isPageWaiting)
      ) {
        shouldRetry = true
      }

      if (result.outcome === 'unreachable' || result.outcome === 'signed-out') {
        break
      }
    }

    this.#planRetry(kind, uid, shouldRetry)

    return hasDelivered
  }

  /**
   * Sends an entry while its page closes. It does not wait for other sendings, because the page has
   * no time left.
   */
  async sendLeaving<Body, Sent extends Result>(
    kind: Kind<Body, Sent>,
    entry: Entry<Body>,
  ): Promise<void> {
    const result = await kind.send(entry, { uid: entry.uid ?? '', leaving: true })
    await this.#settle(entry, result)
    // Other tabs are not told, because the next page reads fresh data anyway.
    this.#tellPages(entry, result)
  }

  async #settle(entry: Entry, { outcome, body }: Result): Promise<void> {
    const isHeldBackTooLong = outcome === 'held-back' && Date.now() - entry.putAt > heldBackMs
    if (outcome === 'delivered' || outcome === 'refused' || isHeldBackTooLong) {
      await this.remove(entry)
    }

    if (outcome === 'replaced') {
      await this.#replace(entry, body)
    }
  }

  /** Replaces the body of an entry, unless a later entry has the same key. */
  async #replace(entry: Entry, body: unknown): Promise<void> {
    const current = (await this.#listAll()).find(({ key }) => key === entry.key)
    if (current?.version === entry.version) {
      await this.#keep({ ...entry, body })
    }
  }

  #planRetry<Body, Sent extends Result>(
    kind: Kind<Body, Sent>,
    uid: string,
    shouldRetry: boolean,
  ): void {
    const { failures = 0, timer } = this.#retries.get(kind.name) ?? {}
    clearTimeout(timer)
    if (!shouldRetry) {
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

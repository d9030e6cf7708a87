/**
 * Learners' input, stored in this browser until the server has it.
 *
 * - An entry is stored before it is sent. It survives a reload, a closed tab, a lost connection and
 *   a server that is down.
 * - Entries of one kind are sent in order, by one tab at a time, and only while their learner is
 *   signed in. Later entries overtake only an entry that is held back.
 * - Sending an entry twice changes nothing, because the server recognizes it by its content.
 * - Where the browser has no storage, as in some private windows, entries wait in the page's
 *   memory.
 * - An entry that the server could not accept stays, and is sent again later. A kind whose entries
 *   become worthless after some time returns the outcome `refused` for them without asking the
 *   server.
 */
import type {
  AnyEntryKind,
  EntryKind,
  EntryOrDraftKind,
  SendOptions,
  SendOutcome,
  SendResult,
} from './entry-kind'
import { browserEntryStore, type EntryStore, type OutboxEntry } from './entry-store'
import { ExclusiveTasks } from './exclusive-tasks'
import { OutboxEntries } from './outbox-entries'

/**
 * Is called with the result of sending an entry.
 *
 * @returns whether the listener's page shows the result. Then the `onUnhandledDelivery` listeners
 *   need not reload any data
 */
type ResultListener = (entry: OutboxEntry, result: SendResult) => boolean

type ScheduledRetry = { retryCount: number; timer: ReturnType<typeof setTimeout> }

/** The delays before the first retries. Every later retry has the last delay. */
const retryDelaysMs = [1_000, 2_000, 5_000, 10_000]

export class Outbox {
  readonly #entries: OutboxEntries
  readonly #otherTabs: BroadcastChannel | null

  readonly #resultListeners = new Set<ResultListener>()
  readonly #unhandledDeliveryListeners = new Set<(entry: OutboxEntry) => void>()

  readonly #exclusiveTasks = new ExclusiveTasks()
  /**
   * The calls of `send` that wait for their turn, by kind and learner. Each of them will include all
   * entries that are added before its turn.
   */
  readonly #waitingCalls = new Map<string, Promise<boolean>>()
  /**
   * The scheduled retries, by kind and learner. A retry that is scheduled before a sign-out still
   * runs. It changes nothing, because the server accepts an entry only from its own learner.
   */
  readonly #retries = new Map<string, ScheduledRetry>()

  constructor(store: EntryStore, otherTabs: BroadcastChannel | null = null) {
    this.#entries = new OutboxEntries(store)
    this.#otherTabs = otherTabs
    otherTabs?.addEventListener('message', ({ data }) => {
      this.#notifyListeners(data.entry, data.result)
    })
  }

  /**
   * Adds an entry, or replaces the entry with the same key.
   *
   * @returns `whenStored` resolves to whether the browser's storage has the entry, not only this page
   */
  put<Body>(
    kind: EntryOrDraftKind<Body>,
    { key, uid, body }: Pick<OutboxEntry<Body>, 'key' | 'uid' | 'body'>,
  ): { entry: OutboxEntry<Body>; whenStored: Promise<boolean> } {
    const entry: OutboxEntry<Body> = {
      key,
      kind: kind.name,
      uid,
      body,
      putAt: Date.now(),
      // The number has no order. It only tells this entry apart from others with its key.
      version: Math.random(),
    }

    return { entry, whenStored: this.#entries.put(entry) }
  }

  /** Returns the entries of a kind, oldest first. */
  async list<Body>(kind: EntryOrDraftKind<Body>): Promise<OutboxEntry<Body>[]> {
    const entries = await this.#entries.list()
    return entries.filter((entry): entry is OutboxEntry<Body> => entry.kind === kind.name)
  }

  /** Removes an entry, unless a later entry with the same key has replaced it. */
  async remove(entry: Pick<OutboxEntry, 'key' | 'version'>): Promise<void> {
    await this.#entries.remove(entry)
  }

  /** Removes the matching entries. Entries that are added during the removal stay. */
  async removeMatching(isMatch: (entry: OutboxEntry) => boolean): Promise<void> {
    const startedAt = Date.now()
    const entries = await this.#entries.list()
    const listedAt = Date.now()
    // The time of an entry may be in the future, if the clock has been set back since.
    const isAddedMeanwhile = ({ putAt }: OutboxEntry) => putAt > startedAt && putAt <= listedAt
    const matches = entries.filter((entry) => !isAddedMeanwhile(entry) && isMatch(entry))

    await Promise.all(matches.map((entry) => this.remove(entry)))
  }

  /**
   * Calls the listener with the result of each entry of a kind, even if another tab sent the entry.
   *
   * @param listener returns whether its page shows the result, as a `ResultListener`
   * @returns a function that unsubscribes
   */
  onResult<Body, KindResult extends SendResult>(
    kind: EntryKind<Body, KindResult>,
    listener: (entry: OutboxEntry<Body>, result: KindResult) => boolean,
  ): () => void {
    const kindListener: ResultListener = (entry, result) =>
      entry.kind === kind.name && listener(entry as OutboxEntry<Body>, result as KindResult)

    this.#resultListeners.add(kindListener)
    return () => this.#resultListeners.delete(kindListener)
  }

  /**
   * Calls the listener with each delivered entry whose result no `onResult` listener shows.
   *
   * @returns a function that unsubscribes
   */
  onUnhandledDelivery(listener: (entry: OutboxEntry) => void): () => void {
    this.#unhandledDeliveryListeners.add(listener)
    return () => this.#unhandledDeliveryListeners.delete(listener)
  }

  /** Tells the listeners of all tabs. Returns whether a page of this tab shows the result. */
  #announceResult(entry: OutboxEntry, result: SendResult): boolean {
    this.#otherTabs?.postMessage({ entry, result })
    return this.#notifyListeners(entry, result)
  }

  /** Returns whether a listener's page shows the result. */
  #notifyListeners(entry: OutboxEntry, result: SendResult): boolean {
    const isShown = this.#notifyResultListeners(entry, result)
    if (!isShown && result.outcome === 'delivered') {
      for (const listener of this.#unhandledDeliveryListeners) {
        listener(entry)
      }
    }

    return isShown
  }

  /** Returns whether a listener's page shows the result. All listeners are called, even after a fault. */
  #notifyResultListeners(entry: OutboxEntry, result: SendResult): boolean {
    let isShown = false
    for (const listener of this.#resultListeners) {
      try {
        isShown = listener(entry, result) || isShown
      } catch (error) {
        // A fault of a page must not end the sending and the retries.
        reportError(error)
      }
    }

    return isShown
  }

  /**
   * Sends the entries of the kinds now, and whenever the browser is online again or the page is
   * visible again.
   *
   * @returns a function that stops the automatic sending
   */
  sendAutomatically(kinds: readonly AnyEntryKind[], uid: string): () => void {
    const sendAllKinds = () => {
      for (const kind of kinds) {
        void this.send(kind, uid)
      }
    }
    const sendWhenVisible = () => {
      if (document.visibilityState === 'visible') {
        sendAllKinds()
      }
    }

    sendAllKinds()
    window.addEventListener('online', sendAllKinds)
    document.addEventListener('visibilitychange', sendWhenVisible)

    return () => {
      window.removeEventListener('online', sendAllKinds)
      document.removeEventListener('visibilitychange', sendWhenVisible)
    }
  }

  /**
   * Sends the waiting entries of a kind.
   *
   * @returns whether the server accepted any of them
   */
  send<Body>(kind: EntryKind<Body>, uid: string): Promise<boolean> {
    const queueKey = getQueueKey(kind, uid)
    const waitingCall = this.#waitingCalls.get(queueKey)
    if (waitingCall) {
      return waitingCall
    }

    const call = this.#exclusiveTasks.run(`learnify-outbox ${kind.name}`, () => {
      this.#waitingCalls.delete(queueKey)
      return this.#sendWaitingEntries(kind, uid)
    })
    this.#waitingCalls.set(queueKey, call)

    return call
  }

  /** Returns whether the server accepted any entry. */
  async #sendWaitingEntries<Body>(kind: EntryKind<Body>, uid: string): Promise<boolean> {
    const sentEntryVersions = new Set<number>()
    let hasDelivered = false
    let shouldRetry = false

    let [entry] = await this.#listUnsentEntries(kind, uid, sentEntryVersions)
    while (entry) {
      const result = await sendEntry(kind, entry, { uid, isPageClosing: false })
      const { outcome } = result
      await this.#applyResult(entry, result)
      let isShown = this.#announceResult(entry, result)

      if (outcome === 'delivered') {
        hasDelivered = true
      }

      // A replaced entry is sent again at once, with its new body.
      if (outcome !== 'replaced') {
        sentEntryVersions.add(entry.version)
      }

      const unsentEntries = await this.#listUnsentEntries(kind, uid, sentEntryVersions)
      const isBlocked = outcome === 'unreachable' || outcome === 'signed-out'
      if (isBlocked) {
        // The entries behind this one wait for the same reason. Other pages may show them.
        const announcements = unsentEntries.map((each) => this.#announceResult(each, { outcome }))
        isShown = isShown || announcements.includes(true)
      }

      shouldRetry = shouldRetry || shouldRetryAfter(outcome, isShown)
      entry = isBlocked ? undefined : unsentEntries[0]
    }

    this.#scheduleRetry(kind, uid, shouldRetry)
    return hasDelivered
  }

  /**
   * Returns the entries that may be sent for the learner and have not been sent yet, oldest first. The
   * entries are read from the storage each time, because they may have been added or replaced.
   */
  async #listUnsentEntries<Body>(
    kind: EntryKind<Body>,
    uid: string,
    sentEntryVersions: ReadonlySet<number>,
  ): Promise<OutboxEntry<Body>[]> {
    const entries = await this.list(kind)
    return entries.filter((entry) => {
      const isVisitorEntry = entry.uid === null
      const isSendable = entry.uid === uid || (kind.sendsVisitorEntries && isVisitorEntry)
      return isSendable && !sentEntryVersions.has(entry.version)
    })
  }

  /** Removes the entry or replaces its body, if the result demands that. */
  async #applyResult(entry: OutboxEntry, { outcome, body }: SendResult): Promise<void> {
    if (outcome === 'delivered' || outcome === 'refused') {
      await this.remove(entry)
    }

    if (outcome === 'replaced' || (outcome === 'held-back' && body !== undefined)) {
      await this.#entries.replaceBody(entry, body)
    }
  }

  #scheduleRetry<Body>(kind: EntryKind<Body>, uid: string, shouldRetry: boolean): void {
    const queueKey = getQueueKey(kind, uid)
    const previousRetry = this.#retries.get(queueKey)
    clearTimeout(previousRetry?.timer)
    if (!shouldRetry) {
      this.#retries.delete(queueKey)
      return
    }

    const previousRetryCount = previousRetry?.retryCount ?? 0
    const delayMs = retryDelaysMs[previousRetryCount] ?? retryDelaysMs.at(-1)
    this.#retries.set(queueKey, {
      retryCount: previousRetryCount + 1,
      timer: setTimeout(() => void this.send(kind, uid), delayMs),
    })
  }

  /**
   * Sends one entry of a learner while the page closes. It does not wait for other calls of `send`,
   * because the page has no time left.
   */
  async sendWhilePageCloses<Body>(
    kind: EntryKind<Body>,
    entry: OutboxEntry<Body>,
    uid: string,
  ): Promise<void> {
    const result = await sendEntry(kind, entry, { uid, isPageClosing: true })
    await this.#applyResult(entry, result)
    this.#otherTabs?.postMessage({ entry, result })
    // The listeners for unhandled deliveries are not called, because the next page reads fresh data.
    this.#notifyResultListeners(entry, result)
  }
}

/**
 * The server accepts a held-back or signed-out entry only after the learner has done something. A timer
 * sends it again only while a page shows that it waits.
 */
function shouldRetryAfter(outcome: SendOutcome, isShown: boolean): boolean {
  const isWaitingForLearner = outcome === 'held-back' || outcome === 'signed-out'
  return outcome === 'unreachable' || (isShown && isWaitingForLearner)
}

/** Names the waiting entries of a kind that are sent for a learner. */
function getQueueKey(kind: AnyEntryKind, uid: string): string {
  return `${kind.name} ${uid}`
}

/** Sends an entry. An exception of its kind is a fault, which must not end the retries. */
async function sendEntry<Body>(
  kind: EntryKind<Body>,
  entry: OutboxEntry<Body>,
  options: SendOptions,
): Promise<SendResult> {
  try {
    return await kind.send(entry, options)
  } catch (error) {
    reportError(error)
    return { outcome: 'unreachable' }
  }
}

/** The outbox of this browser. On the server, nothing is put into it. */
export const outbox = new Outbox(browserEntryStore(), openTabChannel())

/**
 * Returns the channel to the other tabs, or null on the server and in browsers without channels.
 */
function openTabChannel(): BroadcastChannel | null {
  if (import.meta.env.SSR || !('BroadcastChannel' in globalThis)) {
    return null
  }

  return new BroadcastChannel('learnify-outbox')
}

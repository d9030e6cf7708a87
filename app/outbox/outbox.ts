/**
 * The outbox: learners' input, stored in this browser until the server has it.
 *
 * - A feature defines a kind of entries. The kind has a name and a function `send`, which sends one
 *   entry to the server and returns the outcome.
 * - An entry is stored before it is sent. It survives a reload, a closed tab, a lost connection and
 *   a server that is down. Where the browser has no storage, as in some private windows, entries
 *   wait in the page's memory.
 * - Entries of one kind and learner are sent in order, by one tab at a time.
 * - Sending an entry twice changes nothing, because the server recognizes it by its content. The
 *   server accepts an entry only from its own learner.
 * - Drafts, the input that a learner has not submitted yet, are stored here too, but never sent.
 *
 * The outcome decides what happens next:
 *
 * | outcome        | this entry            | later entries | a timer sends again            |
 * | -------------- | --------------------- | ------------- | ------------------------------ |
 * | `delivered`    | is removed            | are sent      | no                             |
 * | `refused`      | is removed            | are sent      | no                             |
 * | `needs-resend` | is sent again at once | are sent      | no                             |
 * | `held-back`    | stays                 | are sent      | if this page shows it          |
 * | `signed-out`   | stays                 | wait          | if this page shows any of them |
 * | `unreachable`  | stays                 | wait          | yes                            |
 *
 * Entries that stay are also sent again when a page opens, becomes visible or is online again. If
 * an entry is worthless after some time, its kind returns `refused` then.
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
import { openTabChannel, ResultListeners } from './result-listeners'

type ScheduledRetry = { retryCount: number; timer: ReturnType<typeof setTimeout> }

/** The delays before the first retries. Every later retry has the last delay. */
const retryDelaysMs = [1_000, 2_000, 5_000, 10_000]

export class Outbox {
  readonly #entries: OutboxEntries
  readonly #listeners: ResultListeners

  readonly #exclusiveTasks = new ExclusiveTasks()
  /**
   * The calls of `send` that have not started yet, by kind and learner. Each of them will include
   * all entries that are put before it starts.
   */
  readonly #callsNotStarted = new Map<string, Promise<boolean>>()
  /**
   * The scheduled retries, by kind and learner. A sign-out does not cancel them. A retry after a
   * sign-out changes nothing, because the server accepts an entry only from its own learner.
   */
  readonly #retries = new Map<string, ScheduledRetry>()

  constructor(store: EntryStore, otherTabs: BroadcastChannel | null = null) {
    this.#entries = new OutboxEntries(store)
    this.#listeners = new ResultListeners(otherTabs)
  }

  /**
   * Puts an entry into the outbox. It replaces the earlier entry with the same key, if there is
   * one.
   *
   * @returns `whenStored` resolves to whether the browser's storage has the entry, not only this
   *   page
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

  /** Removes the matching entries. Entries that are put during the removal stay. */
  async removeMatching(isMatch: (entry: OutboxEntry) => boolean): Promise<void> {
    const startedAt = Date.now()
    const entries = await this.#entries.list()
    const listedAt = Date.now()
    // An entry from before the removal may have a time in the future, if the clock was set back.
    const isPutMeanwhile = ({ putAt }: OutboxEntry) => putAt > startedAt && putAt <= listedAt
    const matches = entries.filter((entry) => !isPutMeanwhile(entry) && isMatch(entry))

    await Promise.all(matches.map((entry) => this.remove(entry)))
  }

  /**
   * Calls the listener with the result of each entry of a kind, even if another tab sent the entry.
   *
   * @param listener returns whether its page shows the result. If so, nobody needs to reload data
   * @returns a function that unsubscribes
   */
  onResult<Body, KindResult extends SendResult>(
    kind: EntryKind<Body, KindResult>,
    listener: (entry: OutboxEntry<Body>, result: KindResult) => boolean,
  ): () => void {
    return this.#listeners.onResult(kind, listener)
  }

  /**
   * Calls the listener with each delivered entry whose result no `onResult` listener shows.
   *
   * @returns a function that unsubscribes
   */
  onDeliveryNotShown(listener: (entry: OutboxEntry) => void): () => void {
    return this.#listeners.onDeliveryNotShown(listener)
  }

  /**
   * Sends the learner's entries of the kinds now, and whenever the browser is online again or the
   * page is visible again.
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
   * Sends the learner's entries of a kind.
   *
   * @returns whether any of them was delivered
   */
  send<Body>(kind: EntryKind<Body>, uid: string): Promise<boolean> {
    const mapKey = getMapKey(kind, uid)
    const callNotStarted = this.#callsNotStarted.get(mapKey)
    if (callNotStarted) {
      return callNotStarted
    }

    // The lock orders the calls of all tabs. The task always starts, even if the lock is refused.
    const call = this.#exclusiveTasks.run(`learnify-outbox ${kind.name}`, () => {
      this.#callsNotStarted.delete(mapKey)
      return this.#sendEntries(kind, uid)
    })
    this.#callsNotStarted.set(mapKey, call)

    return call
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
    const options = { uid, isPageClosing: true }
    const result = await sendEntry(kind, entry, options)
    await this.#removeOrUpdate(entry, result)
    this.#listeners.notify(entry, result, options)
  }

  /**
   * Sends the learner's entries of a kind one after the other, until none is left to try or an
   * outcome makes the others wait.
   *
   * @returns whether any of them was delivered
   */
  async #sendEntries<Body>(kind: EntryKind<Body>, uid: string): Promise<boolean> {
    const options = { uid, isPageClosing: false }
    const triedVersions = new Set<number>()
    let hasDelivered = false
    let shouldRetry = false

    let [entry] = await this.#listUntriedEntries(kind, uid, triedVersions)
    while (entry) {
      const result = await sendEntry(kind, entry, options)
      const { outcome } = result
      await this.#removeOrUpdate(entry, result)
      let isShown = this.#listeners.notify(entry, result, options)

      hasDelivered ||= outcome === 'delivered'

      // An entry that needs a resend is the next entry again, with its new body.
      if (outcome !== 'needs-resend') {
        triedVersions.add(entry.version)
      }

      const laterEntries = await this.#listUntriedEntries(kind, uid, triedVersions)
      const mustLaterEntriesWait = outcome === 'unreachable' || outcome === 'signed-out'
      if (mustLaterEntriesWait) {
        // They wait for the same reason as this entry, and pages may show that.
        for (const laterEntry of laterEntries) {
          const isLaterEntryShown = this.#listeners.notify(laterEntry, { outcome }, options)
          isShown ||= isLaterEntryShown
        }
      }

      shouldRetry ||= shouldRetryLater(outcome, isShown)
      entry = mustLaterEntriesWait ? undefined : laterEntries[0]
    }

    this.#updateRetry(kind, uid, shouldRetry)
    return hasDelivered
  }

  /**
   * Returns the learner's entries of a kind that have not been tried yet, oldest first. They are
   * read from the storage each time, because they may have been put or replaced meanwhile.
   */
  async #listUntriedEntries<Body>(
    kind: EntryKind<Body>,
    uid: string,
    triedVersions: ReadonlySet<number>,
  ): Promise<OutboxEntry<Body>[]> {
    const entries = await this.list(kind)
    return entries.filter((entry) => {
      const isVisitorEntry = entry.uid === null
      const isSendable = entry.uid === uid || (kind.sendsVisitorEntries && isVisitorEntry)
      return isSendable && !triedVersions.has(entry.version)
    })
  }

  /** Removes the entry or updates its body, if the result demands that. */
  async #removeOrUpdate(entry: OutboxEntry, { outcome, body }: SendResult): Promise<void> {
    if (outcome === 'delivered' || outcome === 'refused') {
      await this.remove(entry)
    }

    if (outcome === 'needs-resend' || (outcome === 'held-back' && body !== undefined)) {
      await this.#entries.updateBody(entry, body)
    }
  }

  /** Schedules the next retry, or cancels a scheduled one that is no longer needed. */
  #updateRetry<Body>(kind: EntryKind<Body>, uid: string, shouldRetry: boolean): void {
    const mapKey = getMapKey(kind, uid)
    const previousRetry = this.#retries.get(mapKey)
    clearTimeout(previousRetry?.timer)
    if (!shouldRetry) {
      this.#retries.delete(mapKey)
      return
    }

    const previousRetryCount = previousRetry?.retryCount ?? 0
    const delayMs = retryDelaysMs[previousRetryCount] ?? retryDelaysMs.at(-1)
    this.#retries.set(mapKey, {
      retryCount: previousRetryCount + 1,
      timer: setTimeout(() => void this.send(kind, uid), delayMs),
    })
  }
}

/** Returns the key of a kind and a learner in the maps of the outbox. */
function getMapKey(kind: AnyEntryKind, uid: string): string {
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

/** @param isShown whether this page shows an entry with the outcome */
function shouldRetryLater(outcome: SendOutcome, isShown: boolean): boolean {
  if (outcome === 'unreachable') {
    return true
  }

  // The server accepts the entry only after the learner has done something, such as signing in.
  // A page that shows the entry should notice that soon. Otherwise, the next page sends it again.
  const isWaitingForLearner = outcome === 'held-back' || outcome === 'signed-out'
  return isWaitingForLearner && isShown
}

/** The outbox of this browser. On the server, nothing is put into it. */
export const outbox = new Outbox(browserEntryStore(), openTabChannel())

/**
 * Tells the pages of this browser what became of each entry of the outbox: the page of this tab,
 * and the pages of other tabs by a channel. A page can show the result. A page that does not show a
 * delivery learns that its data is out of date.
 */
import type { EntryKind, SendResult } from './entry-kind'
import type { OutboxEntry } from './entry-store'

/** Returns true if the page shows the result, so that its data does not need to be reloaded. */
type ResultListener = (entry: OutboxEntry, result: SendResult) => boolean

export class ResultListeners {
  readonly #otherTabs: BroadcastChannel | null
  readonly #resultListeners = new Set<ResultListener>()
  readonly #deliveryNotShownListeners = new Set<(entry: OutboxEntry) => void>()

  constructor(otherTabs: BroadcastChannel | null) {
    this.#otherTabs = otherTabs
    otherTabs?.addEventListener('message', ({ data }) => {
      this.#notifyThisPage(data.entry, data.result)
    })
  }

  /**
   * Calls the listener with the result of each entry of a kind.
   *
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
   * Calls the listener with each delivered entry whose result this page does not show.
   *
   * @returns a function that unsubscribes
   */
  onDeliveryNotShown(listener: (entry: OutboxEntry) => void): () => void {
    this.#deliveryNotShownListeners.add(listener)
    return () => this.#deliveryNotShownListeners.delete(listener)
  }

  /**
   * Tells this page and the other tabs what became of an entry.
   *
   * @returns whether this page shows the result
   */
  notify(
    entry: OutboxEntry,
    result: SendResult,
    { isPageClosing }: { isPageClosing: boolean },
  ): boolean {
    this.#otherTabs?.postMessage({ entry, result })

    if (isPageClosing) {
      // A page that closes needs no fresh data, because the next page loads its own.
      return this.#notifyResultListeners(entry, result)
    }

    return this.#notifyThisPage(entry, result)
  }

  /** Returns whether this page shows the result. */
  #notifyThisPage(entry: OutboxEntry, result: SendResult): boolean {
    const isShown = this.#notifyResultListeners(entry, result)
    if (!isShown && result.outcome === 'delivered') {
      for (const listener of this.#deliveryNotShownListeners) {
        reportFaults(() => listener(entry))
      }
    }

    return isShown
  }

  /** Returns whether any listener shows the result. All listeners are called. */
  #notifyResultListeners(entry: OutboxEntry, result: SendResult): boolean {
    let isShown = false
    for (const listener of this.#resultListeners) {
      reportFaults(() => {
        isShown = listener(entry, result) || isShown
      })
    }

    return isShown
  }
}

/** Calls a listener. A fault of a page must not end the sending and the retries. */
function reportFaults(callListener: () => void): void {
  try {
    callListener()
  } catch (error) {
    reportError(error)
  }
}

/**
 * Returns the channel to the other tabs, or null on the server and in browsers without channels.
 */
export function openTabChannel(): BroadcastChannel | null {
  if (import.meta.env.SSR || !('BroadcastChannel' in globalThis)) {
    return null
  }

  return new BroadcastChannel('learnify-outbox')
}

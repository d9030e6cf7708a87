import type { OutboxEntry } from './entry-store'

/** The entries of a feature, which are all sent in the same way. */
export type EntryKind<Body, KindResult extends SendResult = SendResult> = {
  name: string
  /** Whether the entries of a visitor are sent for the learner who signs in. */
  sendsVisitorEntries?: boolean
  /** Sends an entry to the server. An exception counts as the outcome `unreachable`. */
  send(entry: OutboxEntry<Body>, options: SendOptions): Promise<KindResult>
}

/** An entry kind, whatever its bodies are. */
export type AnyEntryKind = EntryKind<never>

export type SendOptions = {
  /** The learner who should be signed in. */
  uid: string
  /** Whether the page is about to close. The request has to outlive the page then. */
  isPageClosing: boolean
}

/**
 * The outcome of sending an entry of the outbox.
 * - `delivered`: the server has accepted the entry. It is removed from the outbox.
 * - `refused`: the server will never accept the entry. It is removed from the outbox.
 * - `replaced`: the entry is sent again with another body, which the result contains.
 * - `held-back`: the server will accept the entry once a condition is met. Later entries are sent.
 * - `signed-out`: no learner or another learner is signed in. Nothing more is sent.
 * - `unreachable`: the server sent no usable response. Everything is sent again later.
 */
export type SendOutcome =
  | 'delivered'
  | 'refused'
  | 'replaced'
  | 'held-back'
  | 'signed-out'
  | 'unreachable'

/** The result of sending an entry. A kind may add what its pages need from the response. */
export type SendResult = {
  outcome: SendOutcome
  /**
   * The new body of the entry, if the outcome is `replaced`. An entry that is held back may have a
   * new body, too, for example to remember why.
   */
  body?: unknown
  /** The sentence with which the server refused the entry. */
  refusal?: string
}

/**
 * A kind of entries, or a kind of drafts (`drafts.ts`). Drafts are never sent, so their kind has no
 * `send`. TypeScript infers the type of an entry's body from `send`.
 */
export type EntryOrDraftKind<Body> = {
  name: string
  send?(entry: OutboxEntry<Body>, options: never): unknown
}

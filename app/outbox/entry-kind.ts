import type { OutboxEntry } from './entry-store'

/** A kind of entries, which a feature defines: its name, and how its entries are sent. */
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
 * The outcome of sending an entry. The table in `outbox.ts` says what the outbox does then.
 * - `delivered`: the server has accepted the entry.
 * - `refused`: the server will never accept the entry.
 * - `needs-resend`: the server needs another body, which the result contains.
 * - `held-back`: the server will accept the entry once a condition is met.
 * - `signed-out`: no learner or another learner is signed in.
 * - `unreachable`: the server sent no usable response.
 */
export type SendOutcome =
  | 'delivered'
  | 'refused'
  | 'needs-resend'
  | 'held-back'
  | 'signed-out'
  | 'unreachable'

/** The result of sending an entry. A kind may add what its pages need from the response. */
export type SendResult = {
  outcome: SendOutcome
  /**
   * The new body of the entry, if the outcome is `needs-resend`. An entry that is held back may
   * have a new body, too, for example to remember why.
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

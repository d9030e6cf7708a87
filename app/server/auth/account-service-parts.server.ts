import type { Database } from '../database/client.server'
import type { AttemptCounter, Turnstile } from './attempt-limits.server'
import type { KnownBrowsers } from './known-browsers.server'

/** What the account service's endpoints share. */
export type AccountServiceParts = {
  db: Database
  attempts: AttemptCounter
  turnstile: Turnstile
  knownBrowsers: KnownBrowsers
  /** A mail was committed to the outbox. */
  mailQueued(): void
  /** Of the request under way. */
  address(): string
  /** How much more than others that address may do. */
  addressFactor(): number
}

import type { Database } from '../database/client.server'
import type { AccountMails } from './account-mails.server'
import type { AttemptCounter, Turnstile } from './attempt-limits.server'

/** What the account service's endpoints share. */
export type AccountServiceParts = {
  db: Database
  /** Where learners reach the product; links in mails start with it. */
  publicUrl: string
  attempts: AttemptCounter
  turnstile: Turnstile
  mails: AccountMails
  /** Of the request under way. */
  address(): string
  /** How much more than others that address may do. */
  addressFactor(): number
}

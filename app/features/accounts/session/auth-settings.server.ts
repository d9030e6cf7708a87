import type { Database } from '~/server/database/client.server'
import type { AttemptCounter } from '../attempt-counter.server'
import type { KnownBrowsers } from '../sign-in/known-browsers.server'
import type { ProviderConfiguration } from '../social/social-providers.server'
import type { SessionRules } from './session-rules.server'

/** What better-auth and its hooks need to know about the product. */
export type AuthSettings = {
  db: Database
  publicUrl: string
  /**
   * Whether the product runs on a loopback IP address, where it answers to every local host name.
   */
  isLoopback: boolean
  secret: string
  /** Replaced secrets, which still decrypt stored values. The oldest comes last. */
  previousSecrets?: readonly string[]
  /** All providers, including those of single sign-on. */
  providers: ProviderConfiguration[]
  sessionRules: SessionRules
  attempts: AttemptCounter
  knownBrowsers: KnownBrowsers
}

/**
 * The service that all account functions use: database, sessions, limits and providers. Functions
 * take it as their first argument, so that tests can use a service of their own.
 */
import type { SecretConfig } from 'better-auth/crypto'
import type { Database } from '~/server/database/client.server'
import { AttemptCounter } from './attempt-counter.server'
import { KeyedQueue } from './password/keyed-queue.server'
import { createEncryptionKey } from './secret-rotation.server'
import { type Auth, createAuth } from './session/auth.server'
import type { AuthSettings } from './session/auth-settings.server'
import { type SessionRules, sessionRules } from './session/session-rules.server'
import { KnownBrowsers } from './sign-in/known-browsers.server'
import { ProviderAuths } from './social/provider-auths.server'
import type { ProviderConfiguration } from './social/social-providers.server'

export type AccountService = {
  db: Database
  auth: Auth
  /** The instances of better-auth that handle sign-ins by a provider. */
  providerAuths: ProviderAuths
  /** Encrypts and decrypts the secrets of authenticator apps. */
  encryptionKey: SecretConfig
  publicUrl: string
  providers: ProviderConfiguration[]
  attempts: AttemptCounter
  /** Compares the passwords of one account one after the other. */
  passwordChecks: KeyedQueue
  knownBrowsers: KnownBrowsers
  sessionRules: SessionRules
  now(): number
  /** Has to be called after the commit of a transaction that queued an email. */
  wakeEmailSender(): void
}

/** The account service of the running product. `openAccounts` sets it before the server listens. */
export let accountService: AccountService

export function setAccountService(service: AccountService): void {
  accountService = service
}

/** The settings that have a default. */
type OptionalSetting = 'now' | 'wakeEmailSender' | 'sessionRules'

type ServiceSettings = Omit<AuthSettings, OptionalSetting | 'attempts' | 'knownBrowsers'> &
  Partial<Pick<AccountService, OptionalSetting>>

export function createAccountService(options: ServiceSettings): AccountService {
  const settings = { now: Date.now, wakeEmailSender: () => {}, sessionRules, ...options }
  const { db, secret, publicUrl, providers, now, wakeEmailSender } = settings
  const attempts = new AttemptCounter(db, secret, now)
  const knownBrowsers = new KnownBrowsers(secret, now, settings.previousSecrets)
  const authSettings = { ...settings, attempts, knownBrowsers }
  const builtInProviders = providers.filter(({ organization }) => !organization)
  const auth = createAuth(authSettings, builtInProviders)

  return {
    db,
    auth,
    providerAuths: new ProviderAuths(auth, (provider) => createAuth(authSettings, [provider])),
    encryptionKey: createEncryptionKey(secret, settings.previousSecrets),
    publicUrl,
    providers,
    attempts,
    passwordChecks: new KeyedQueue(),
    knownBrowsers,
    sessionRules: settings.sessionRules,
    now,
    wakeEmailSender,
  }
}

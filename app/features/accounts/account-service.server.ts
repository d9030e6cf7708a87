/** Creates the service that all account functions use: database, sessions, limits and providers. */
import type { SecretConfig } from 'better-auth/crypto'
import type { Database } from '~/server/database/client.server'
import { env } from '~/server/env.server'
import { errorResponse } from '~/server/http/form-response.server'
import { log } from '~/server/operations/log.server'
import { withTimeout } from '~/server/operations/readiness.server'
import { type AccountErrorCode, accountErrorStatuses, toFormErrors } from './account-errors'
import { AttemptCounter } from './attempt-counter.server'
import { createEncryptionKey } from './secret-rotation.server'
import { type Auth, createAuth } from './session/auth.server'
import type { AuthSettings } from './session/auth-settings.server'
import { type SessionRules, sessionRules } from './session/session-rules.server'
import { KnownBrowsers } from './sign-in/known-browsers.server'
import type { SocialConfiguration } from './social/social-providers.server'

/** The service that account functions take as their first argument. */
export type AccountService = {
  db: Database
  auth: Auth
  /** Handles sign-ins by a provider. */
  providerAuths: ProviderAuths
  /** Encrypts the secrets of authenticator apps. */
  encryptionKey: SecretConfig
  publicUrl: string
  providers: SocialConfiguration[]
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

const providerTimeoutMs = 10_000

/**
 * Gives each single sign-on provider its own instance of better-auth.
 *
 * With one instance for all, better-auth would break the promise that a provider which is down
 * delays neither the start nor other sign-in methods: it reads the configuration of each provider
 * once, at its own start, and drops the providers that it cannot reach. So an instance is opened at
 * the provider's first use, and opened again after a failure.
 */
export class ProviderAuths {
  readonly #authsByProviderId = new Map<string, Promise<Auth | null>>()

  /**
   * @param commonAuth handles Google and Facebook, whose configuration is built in
   * @param createProviderAuth creates the instance of a single sign-on provider
   */
  constructor(
    private commonAuth: Auth,
    private createProviderAuth: (provider: SocialConfiguration) => Auth,
    private timeoutMs = providerTimeoutMs,
  ) {}

  /** Returns null if the provider can't be reached, or if its issuer isn't the one in the settings. */
  async get(provider: SocialConfiguration): Promise<Auth | null> {
    if (!provider.organization) {
      return this.commonAuth
    }

    const openingAuth = this.#authsByProviderId.get(provider.id) ?? this.#openProvider(provider)
    this.#authsByProviderId.set(provider.id, openingAuth)

    const auth = await openingAuth
    if (!auth) {
      // The next sign-in tries again.
      this.#authsByProviderId.delete(provider.id)
    }

    return auth
  }

  async #openProvider(provider: SocialConfiguration): Promise<Auth | null> {
    const auth = this.createProviderAuth(provider)
    const context = await withTimeout(auth.$context, this.timeoutMs)
    const configuration = context?.socialProviders.find(({ id }) => id === provider.id)
    const expectedIssuer = provider.organization?.issuer
    if (configuration && configuration.issuer === expectedIssuer) {
      return auth
    }

    const problem = configuration
      ? `it calls itself ${configuration.issuer}`
      : 'its configuration can’t be read'
    log.warn({ provider: provider.id, issuer: expectedIssuer, problem }, 'no single sign-on')

    return null
  }
}

/** Uses the minimum length from the settings, which may be above the specification's. */
const passwordTooShort = `Password should be at least ${env.PASSWORD_MIN_LENGTH} characters`

/** Returns the response that shows an account error beside the field that it concerns, and in the banner. */
export function accountErrorResponse(
  code: AccountErrorCode,
  options: { form?: FormData; headers?: Headers } = {},
) {
  if (code === 'weak-password') {
    const errors = { password: passwordTooShort }
    return errorResponse(errors, { ...options, banner: passwordTooShort, status: 400 })
  }

  const { errors, banner } = toFormErrors(code)
  return errorResponse(errors, { ...options, banner, status: accountErrorStatuses[code] })
}

/** How many tasks of one key may run and wait. */
const maxQueueLength = 20

/**
 * Runs the tasks of each key one after the other, in this process.
 *
 * The keys are accounts, and the tasks check a password. If a learner sends several requests at once,
 * the requests wait for each other, so that none of them counts as a wrong password. The limited length
 * of a queue keeps an attacker from occupying the server with the passwords of one account.
 */
class KeyedQueue {
  #queues = new Map<string, { previousTask: Promise<unknown>; length: number }>()

  /** @returns undefined if too many tasks of this key are running or waiting */
  async run<T>(key: string, task: () => Promise<T>): Promise<T | undefined> {
    const queue = this.#queues.get(key) ?? { previousTask: Promise.resolve(), length: 0 }
    if (queue.length >= maxQueueLength) {
      return undefined
    }

    const result = queue.previousTask.then(task)
    // The next task has to run even if this one fails.
    queue.previousTask = result.catch(() => {})
    queue.length += 1
    this.#queues.set(key, queue)

    try {
      return await result
    } finally {
      queue.length -= 1
      if (queue.length === 0) {
        this.#queues.delete(key)
      }
    }
  }
}

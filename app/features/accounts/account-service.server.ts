import type { SecretConfig } from 'better-auth/crypto'
import type { Database } from '~/server/database/client.server'
import { env } from '~/server/env.server'
import { errorResponse } from '~/server/http/form-response.server'
import { type AccountServiceCode, accountServiceCodes, refusalOf } from './account-errors'
import { AttemptCounter, Turnstile } from './attempt-limits.server'
import { type Auth, type AuthSettings, createAuth } from './session/auth.server'
import { encryptionKey } from './session/former-secrets.server'
import { type SessionRules, sessionRules } from './session/session-rules.server'
import { KnownBrowsers } from './sign-in/known-browsers.server'
import { ProviderAuths } from './social/provider-auths.server'
import type { SocialConfiguration } from './social/social-providers.server'

/** Shared by all account functions, as their first argument. */
export type AccountService = {
  db: Database
  auth: Auth
  /** Handles sign-ins with a provider. */
  providerAuths: ProviderAuths
  /** Encrypts the secrets of authenticator apps. */
  encryptionKey: SecretConfig
  publicUrl: string
  providers: SocialConfiguration[]
  attempts: AttemptCounter
  turnstile: Turnstile
  knownBrowsers: KnownBrowsers
  sessionRules: SessionRules
  now(): number
  /** Called after an email was committed to the outbox. */
  mailQueued(): void
}

/** The account service of the product. `openAccounts` sets it before the server listens. */
export let accountService: AccountService

export function setAccountService(service: AccountService): void {
  accountService = service
}

type Optional = 'now' | 'mailQueued' | 'sessionRules'
type Settings = Omit<AuthSettings, Optional | 'attempts' | 'knownBrowsers'> &
  Partial<Pick<AccountService, Optional>>

export function createAccountService(given: Settings): AccountService {
  const settings = { now: Date.now, mailQueued: () => {}, sessionRules, ...given }
  const { db, secret, publicUrl, providers, now, mailQueued } = settings
  const attempts = new AttemptCounter(db, secret, now)
  const knownBrowsers = new KnownBrowsers(secret, now, settings.formerSecrets)
  const authSettings = { ...settings, attempts, knownBrowsers }
  const auth = createAuth(
    authSettings,
    providers.filter(({ organization }) => !organization),
  )

  return {
    db,
    auth,
    providerAuths: new ProviderAuths(auth, (provider) => createAuth(authSettings, [provider])),
    encryptionKey: encryptionKey(secret, settings.formerSecrets),
    publicUrl,
    providers,
    attempts,
    turnstile: new Turnstile(),
    knownBrowsers,
    sessionRules: settings.sessionRules,
    now,
    mailQueued,
  }
}

/** As the setting says, which the sentence of the catalogue doesn't know. */
const tooShort = `Password should be at least ${env.PASSWORD_MIN_LENGTH} characters`

/**
 * How a form's action says why the account service refused: beside the field that it is about, and
 * in the banner.
 */
export function refuseAccountForm(
  code: AccountServiceCode,
  options: { form?: FormData; headers?: Headers } = {},
) {
  if (code === 'weak-password') {
    return errorResponse({ password: tooShort }, { ...options, banner: tooShort, status: 400 })
  }

  const { errors, banner } = refusalOf(code)
  return errorResponse(errors, { ...options, banner, status: accountServiceCodes[code] })
}

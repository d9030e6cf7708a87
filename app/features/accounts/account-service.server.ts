import type { SecretConfig } from 'better-auth/crypto'
import { type Database, db } from '~/server/database/client.server'
import { env, isLoopback } from '~/server/env.server'
import { errorResponse } from '~/server/http/form-response.server'
import { lacksMailServer, type Mail, sendMail } from '~/server/mail/mail.server'
import { MailSender, type OutboxRow } from '~/server/mail/mail-sender.server'
import { backgroundWork } from '~/server/operations/background-work.server'
import { authSecret } from '~/server/operations/secrets.server'
import { type AccountServiceCode, accountServiceCodes, refusalOf } from './account-errors'
import { purgeExpired } from './account-queries.server'
import { AttemptCounter, Turnstile } from './attempt-limits.server'
import { keepDemoAccount } from './demo-account.server'
import { accountMailComposer, isAccountMail, type OtherMailKind } from './mail/account-mails.server'
import { purgeSecurityEvents } from './security/security-log.server'
import { type Auth, type AuthSettings, createAuth } from './session/auth.server'
import { encryptionKey } from './session/former-secrets.server'
import { type SessionRules, sessionRules, shortenSessions } from './session/session-rules.server'
import { KnownBrowsers } from './sign-in/known-browsers.server'
import { ProviderAuths } from './social/provider-auths.server'
import { type SocialConfiguration, socialConfigurations } from './social/social-providers.server'
import { renewAppSecrets } from './two-factor/secret-rotation.server'

const purgeEveryMs = 60 * 60_000

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

/** The product's own; set by `openAccountService` before the server listens. */
export let accountService: AccountService

/**
 * Opens the accounts on the product's database, and sends mail.
 *
 * @param composeOther the messages of other features.
 * @returns a function that closes them.
 */
export async function openAccountService(
  composeOther: (
    kind: OtherMailKind,
    uid: string,
    orderId: string | null,
    about: string | null,
  ) => Promise<Omit<Mail, 'id'> | null>,
): Promise<() => Promise<void>> {
  const composeOwn = accountMailComposer(db, env.PUBLIC_URL)
  const compose = (row: OutboxRow) =>
    isAccountMail(row)
      ? composeOwn(row)
      : composeOther(row.kind as OtherMailKind, row.uid ?? '', row.orderId, row.about)
  const sender = new MailSender({ db, compose, send: sendMail, lacksServer: lacksMailServer })
  accountService = createAccountService({
    db,
    publicUrl: env.PUBLIC_URL,
    loopback: isLoopback,
    secret: await authSecret(env.DATA_DIR, env.AUTH_SECRET),
    formerSecrets: env.AUTH_SECRET_FORMER,
    providers: socialConfigurations(env, isLoopback),
    sessionRules,
    mailQueued: () => sender.wake(),
  })

  await keepDemoAccount(db, env.DEMO_ACCOUNT)
  await shortenSessions(db, sessionRules)
  if (env.AUTH_SECRET_FORMER.length > 0) {
    await renewAppSecrets(accountService)
  }

  const stopPurging = backgroundWork.add({
    name: 'expired rows',
    everyMs: purgeEveryMs,
    run: purge,
  })
  const stopSender = sender.start()

  return async () => {
    await stopPurging()
    await stopSender()
  }
}

/** Removes expired sessions, links and counters, and security events that are too old. */
async function purge(): Promise<void> {
  await purgeExpired(db)
  await purgeSecurityEvents(db)
  await accountService.attempts.purge()
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

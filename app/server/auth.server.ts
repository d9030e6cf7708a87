import { betterAuth } from 'better-auth'
import { drizzleAdapter } from 'better-auth/adapters/drizzle'
import { admin, genericOAuth } from 'better-auth/plugins'
import type { AccountServiceCode, SessionUser, SocialProviderId } from './auth/account-codes'
import { accountEndpoints } from './auth/account-endpoints.server'
import { AccountMails } from './auth/account-mails.server'
import { findUser, purgeExpired, recordLogin, sessionUser } from './auth/account-queries.server'
import { answer } from './auth/account-router.server'
import { proveByProvider, recordEmailVerified, recordProviderProof } from './auth/address-proof.server'
import { AttemptCounter, attemptLimits, loopbackFactor, Turnstile } from './auth/attempt-limits.server'
import { demoUid, keepDemoAccount } from './auth/demo-account.server'
import { KnownBrowsers } from './auth/known-browsers.server'
import { confirmOwner } from './auth/owner-confirmation.server'
import { readSessionToken } from './auth/session-cookie.server'
import { type SocialConfiguration, socialConfigurations } from './auth/social-providers.server'
import { userDocumentEndpoints } from './auth/user-document-endpoints.server'
import { clientAddress, isLoopbackAddress, networkOf } from './client-address.server'
import { type Database, db } from './database/client.server'
import { identities, sessions, users, verifications } from './database/schema'
import { env, isLoopback, loopbackOrigins } from './env.server'
import { log } from './log.server'
import { sendMail } from './mail.server'
import { MailSender, queueMail } from './outbox.server'
import { authSecret } from './secrets.server'

const day = 24 * 60 * 60
const rememberedSeconds = 30 * day
const purgeEveryMs = 60 * 60_000

export type AccountService = {
  /** Answers everything under /account. */
  handle(request: Request): Promise<Response>
  /** Who signed in, by the request's cookie; null for nobody and for a disabled account. */
  findLearner(request: Request): Promise<SessionUser | null>
  /** The token of the request's session, for statements that check in the database whether it still stands. */
  findSessionToken(request: Request): Promise<string | null>
  /**
   * Makes sure that the request comes from the owner of the account and not only from its open browser.
   *
   * @param uid whose account the form was opened for.
   * @returns null when it does, or why not.
   */
  confirmOwner(request: Request, uid: string, password: string): Promise<AccountServiceCode | null>
  /** Mails a new link to confirm the learner's address. @returns null when it does, or why not. */
  requestConfirmation(uid: string): Promise<AccountServiceCode | null>
  socialProviders: SocialProviderId[]
  attempts: AttemptCounter
  /** Removes sessions, links and counters that are over. */
  purge(): Promise<void>
}

/** The product's account service; set by `openAccountService` before the server listens. */
export let accountService: AccountService

/** Starts the account service on the product's database. @returns what stops it. */
export async function openAccountService(): Promise<() => Promise<void>> {
  const { compose } = new AccountMails(db, env.PUBLIC_URL)
  const sender = new MailSender({ db, compose, send: sendMail })
  accountService = createAccountService({
    db,
    publicUrl: env.PUBLIC_URL,
    loopback: isLoopback,
    secret: await authSecret(env.DATA_DIR, env.AUTH_SECRET),
    providers: socialConfigurations(env, isLoopback),
    mailQueued: () => sender.wake(),
  })
  await keepDemoAccount(db, env.DEMO_ACCOUNT)
  const purge = () =>
    accountService.purge().catch((error) => log.error({ err: error }, 'expired rows were not removed'))
  const timer = setInterval(purge, purgeEveryMs)
  const stopSender = sender.start()
  return async () => {
    clearInterval(timer)
    await stopSender()
  }
}

type Settings = {
  db: Database
  publicUrl: string
  /** Every name of this machine is then the product's own. */
  loopback: boolean
  secret: string
  providers: SocialConfiguration[]
  /** A mail was committed to the outbox. */
  mailQueued?(): void
  now?(): number
}

/** better-auth with the product's own operations, of which nothing else can be reached (see `account-router`). */
export function createAccountService(settings: Settings): AccountService {
  const { db, secret, providers } = settings
  const parts = {
    db,
    attempts: new AttemptCounter(db, secret, settings.now ?? Date.now),
    turnstile: new Turnstile(),
    knownBrowsers: new KnownBrowsers(secret, settings.now ?? Date.now),
    mailQueued: settings.mailQueued ?? (() => {}),
    address: () => networkOf(clientAddress()),
    addressFactor: () => (isLoopbackAddress(clientAddress()) ? loopbackFactor : 1),
  }
  const auth = betterAuth({
    ...foundation(settings),
    plugins: [
      admin({ defaultRole: 'learner' }),
      genericOAuth({ config: providers.map(({ config }) => config) }),
      accountEndpoints(parts),
      userDocumentEndpoints(parts),
    ],
  })
  return {
    handle: (request) => answer(auth, request, providers),
    socialProviders: providers.map(({ id }) => id),
    attempts: parts.attempts,
    async purge() {
      await purgeExpired(db)
      await parts.attempts.purge()
    },
    async findSessionToken(request) {
      const { authCookies } = await auth.$context
      return readSessionToken(request.headers.get('cookie'), authCookies.sessionToken.name, secret)
    },
    async confirmOwner(request, uid, password) {
      const found = await auth.api.getSession({ headers: request.headers, query: { disableRefresh: true } })
      if (!found) return 'not-signed-in'
      if (found.user.id !== uid) return 'forbidden'
      if (uid === demoUid) return 'demo-account'
      const session = { uid, createdAt: found.session.createdAt }
      return confirmOwner(parts, session, password, (settings.now ?? Date.now)())
    },
    async requestConfirmation(uid) {
      const user = await findUser(db, uid)
      if (!user || user.emailVerified) return user ? null : 'not-signed-in'
      if (!(await parts.attempts.take(attemptLimits.confirmationByAccount, uid))) return 'too-many-requests'
      await queueMail(db, uid, 'confirmation')
      parts.mailQueued()
      return null
    },
    async findLearner(request) {
      if (!request.headers.has('cookie')) return null
      const session = await auth.api.getSession({ headers: request.headers, query: { disableRefresh: true } })
      const user = session && (await findUser(db, session.user.id))
      return user && !user.banned ? sessionUser(user) : null
    },
  }
}

/** Everything of better-auth that is not an operation: tables, cookies, sessions, linking. */
function foundation({ db, publicUrl, loopback, secret }: Settings) {
  const { host, port, protocol } = new URL(publicUrl)
  const secure = protocol === 'https:'
  const names = loopback ? loopbackOrigins(publicUrl).map((origin) => new URL(origin).host) : []
  return {
    appName: 'Learnify',
    baseURL: {
      allowedHosts: [host, ...names],
      protocol: secure ? ('https' as const) : ('http' as const),
      fallback: publicUrl,
    },
    basePath: '/account',
    // As the HTTP front has it: the product's own origin, by the name that the page itself was fetched from.
    trustedOrigins: (request?: Request) => (request ? [new URL(request.url).origin] : []),
    secret,
    database: drizzleAdapter(db, {
      provider: 'pg',
      schema: { user: users, session: sessions, account: identities, verification: verifications },
    }),
    // Limits are the product's own: by account and by address, see attempt-limits.server.ts.
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    // No level: with one, better-auth also prints refusals by itself, past this log.
    logger: { log: (_level: string, message: string) => log.warn({ message }, 'account service') },
    advanced: {
      disableOriginCheck: false,
      ipAddress: { disableIpTracking: true },
      // `__Host-`: only this host, only over https. Products on one host differ by port, which cookies ignore.
      useSecureCookies: false,
      cookiePrefix: secure ? `__Host-learnify${port && `-${port}`}` : `learnify-${port || 80}`,
      defaultCookieAttributes: { httpOnly: true, sameSite: 'lax' as const, secure, path: '/' },
    },
    session: { expiresIn: rememberedSeconds, updateAge: day },
    account: {
      updateAccountOnSignIn: false,
      accountLinking: { enabled: true, requireLocalEmailVerified: false, trustedProviders: [] },
    },
    user: {
      additionalFields: {
        firstName: { type: 'string' as const },
        lastName: { type: 'string' as const },
        provider: { type: 'string' as const },
      },
      async validateUserInfo({ user, source }: ValidatedUser) {
        if (user.id) await proveByProvider(db, user.id, { ...user, firstTime: source.action === 'link-account' })
      },
    },
    databaseHooks: databaseHooks(db),
    // An unexpected error reaches this product's own log; better-auth would print its values.
    onAPIError: { throw: true, errorURL: `${publicUrl}/account/social-end` },
  }
}

type ValidatedUser = { user: { id?: string; email?: string; emailVerified?: boolean }; source: { action: string } }

/** What has to happen at every sign-in and with every identity, whichever operation it came by. */
function databaseHooks(db: Database) {
  return {
    user: {
      create: {
        async after({ id, emailVerified }: { id: string; emailVerified: boolean }) {
          if (emailVerified) await recordEmailVerified(db, id)
        },
      },
    },
    session: {
      create: {
        async after(session: { userId: string }) {
          await recordLogin(db, session.userId).catch((error) =>
            log.error({ err: error }, 'the time of a sign-in was not written'),
          )
        },
      },
    },
    account: {
      create: {
        // The provider is asked once, at sign-in: nothing that could be used again is kept.
        before: async () => ({ data: { accessToken: null, refreshToken: null, idToken: null } }),
        after: (identity: { id: string }) => recordProviderProof(db, identity.id),
      },
    },
  }
}

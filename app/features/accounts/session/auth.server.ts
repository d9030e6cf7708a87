/**
 * Configures better-auth: tables, cookies, secrets, providers, and the checks that run at every
 * sign-in.
 *
 * better-auth handles OAuth, passkeys and the session cookie. Its endpoints for signing in and out
 * by password are replaced by `sessionEndpoints`, because they would break two promises:
 * `signInEmail` refuses valid emails like `jörg@example.com`, and `signOut` reports success even if
 * the database fails. A session is never written without its entry in the security log: if a check
 * or the log fails, the browser gets no cookie.
 */
import {
  type BetterAuthPlugin,
  betterAuth,
  type GenericEndpointContext,
  type Session,
} from 'better-auth'
import { drizzleAdapter } from 'better-auth/adapters/drizzle'
import { APIError, createAuthEndpoint, createAuthMiddleware, getOAuthState } from 'better-auth/api'
import {
  deleteSessionCookie,
  expireCookie,
  parseSetCookieHeader,
  setSessionCookie,
} from 'better-auth/cookies'
import { admin, genericOAuth } from 'better-auth/plugins'
import * as z from 'zod'
import type { Database } from '~/server/database/client.server'
import { recordOutage } from '~/server/database/connection-error.server'
import {
  identities,
  passkeys,
  sessions,
  users,
  verifications,
} from '~/server/database/schema/index'
import { loopbackOrigins } from '~/server/http/client-address.server'
import { log } from '~/server/operations/log.server'
import { countEvent } from '~/server/operations/metrics/counters.server'
import {
  demoUid,
  findPasswordHash,
  findUser,
  hasIdentity,
  recordLoginTime,
} from '../account-queries.server'
import type { AttemptCounter } from '../attempt-counter.server'
import { attemptLimits } from '../attempt-limits.server'
import {
  proveByProvider,
  recordEmailVerified,
  recordProviderProof,
} from '../email-address/owner-proof.server'
import { passkeyPlugin, passkeySignInPath } from '../passkeys/passkey-plugin.server'
import { toVersionedSecrets } from '../secret-rotation.server'
import { recordSecurityEvent } from '../security/security-log.server'
import { isNewAccount, mailSecurityChange } from '../security/security-mails.server'
import {
  isKnownBrowser,
  type KnownBrowsers,
  rememberBrowserOfProviderSignIn,
} from '../sign-in/known-browsers.server'
import { checkProviderClaims, isSignInMethodAllowed } from '../social/allowed-sign-in-methods'
import { clockTolerance } from '../social/id-token.server'
import type { SocialConfiguration } from '../social/social-providers.server'
import { isRecentSessionOf, isSessionOf } from '../step-up/step-up.server'
import { hasTwoFactor } from '../two-factor/authenticator-app.server'
import { completeSession, createSession } from './new-session.server'
import { getRenewalSeconds, getSessionEnd, type SessionRules } from './session-rules.server'

export type AuthSettings = {
  db: Database
  publicUrl: string
  /**
   * Whether the product runs on a loopback IP address, where it answers to every local host name.
   */
  loopback: boolean
  secret: string
  /** Replaced secrets, which still decrypt stored values. The oldest comes last. */
  previousSecrets?: readonly string[]
  /** All providers, including those of single sign-on. */
  providers: SocialConfiguration[]
  sessionRules: SessionRules
  attempts: AttemptCounter
  knownBrowsers: KnownBrowsers
}

export type Auth = ReturnType<typeof createAuth>

/**
 * Creates an instance of better-auth.
 *
 * @param handledProviders the providers whose sign-ins this instance handles
 */
export function createAuth(
  settings: AuthSettings,
  handledProviders: readonly SocialConfiguration[],
) {
  const { db, publicUrl, loopback, secret, previousSecrets = [], sessionRules } = settings
  const { host, protocol } = new URL(publicUrl)
  const isSecure = protocol === 'https:'
  const loopbackHosts = loopback
    ? loopbackOrigins(publicUrl).map((origin) => new URL(origin).host)
    : []

  return betterAuth({
    appName: 'Learnify',
    baseURL: {
      allowedHosts: [host, ...loopbackHosts],
      protocol: isSecure ? 'https' : 'http',
      fallback: publicUrl,
    },
    basePath: '/account',
    // The HTTP server has already checked the host name, so the request's own origin is trusted.
    trustedOrigins: (request?: Request) => (request ? [new URL(request.url).origin] : []),
    // Values without a secret's version were encrypted with the oldest secret.
    secret: previousSecrets.at(-1) ?? secret,
    secrets: toVersionedSecrets([secret, ...previousSecrets]),
    database: drizzleAdapter(db, {
      provider: 'pg',
      schema: {
        user: users,
        session: sessions,
        account: identities,
        verification: verifications,
        passkey: passkeys,
      },
    }),
    // attempt-limits.server.ts limits attempts by account and by client instead.
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    // No level is set, because with one, better-auth also prints refusals to the console.
    logger: {
      log: (_level: string, message: string, ...details: unknown[]) => {
        const err = details.find((detail) => detail instanceof Error)
        // better-auth throws an error of its own without the cause, so an outage is noted here.
        recordOutage(err)
        log.warn({ message, err }, 'better-auth')
      },
    },
    advanced: {
      disableOriginCheck: false,
      ipAddress: { disableIpTracking: true },
      // better-auth's own prefix would be `__Secure-`, which is weaker than our `__Host-`.
      useSecureCookies: false,
      cookiePrefix: getCookiePrefix(publicUrl),
      defaultCookieAttributes: { httpOnly: true, sameSite: 'lax', secure: isSecure, path: '/' },
    },
    session: {
      expiresIn: sessionRules.idleSeconds,
      updateAge: getRenewalSeconds(sessionRules),
      // step-up.server.ts requires a recent sign-in instead of a fresh session.
      freshAge: 0,
    },
    account: {
      // In the database, every request that starts a social sign-in would leave a row.
      storeStateStrategy: 'cookie',
      updateAccountOnSignIn: false,
      accountLinking: {
        enabled: true,
        requireLocalEmailVerified: false,
        trustedProviders: [],
        allowDifferentEmails: true,
      },
    },
    user: {
      additionalFields: {
        firstName: { type: 'string' },
        lastName: { type: 'string' },
        provider: { type: 'string' },
      },
      validateUserInfo: ({ user, source }, ctx) => {
        const providerId = source.oauth?.providerId ?? ''
        const isLinking = source.action === 'link-account'
        return checkProviderSignIn(settings, ctx, { providerId, isLinking, claims: user })
      },
    },
    databaseHooks: databaseHooks(settings),
    hooks: { after: syncSignedInCookie(publicUrl, isSecure) },
    // Unexpected errors reach our own log. better-auth would print them with their values.
    onAPIError: { throw: true, errorURL: `${publicUrl}/account/social-end` },
    plugins: [
      admin({ defaultRole: 'learner' }),
      genericOAuth({ config: handledProviders.map(({ config }) => config) }),
      clockTolerance(),
      passkeyPlugin(db, publicUrl),
      sessionEndpoints(settings),
    ],
  })
}

/**
 * Returns the prefix of the cookies' names. It contains the port, because cookies ignore ports and
 * two installations may share a host name. `__Host-` limits a cookie to this host and to https.
 */
function getCookiePrefix(publicUrl: string): string {
  const { port, protocol } = new URL(publicUrl)
  if (protocol !== 'https:') {
    return `learnify-${port || 80}`
  }

  return `__Host-learnify${port && `-${port}`}`
}

type ProviderSignIn = {
  providerId: string
  /** Whether the identity would be added to an existing account. */
  isLinking: boolean
  /** The provider's claims about the person. */
  claims: {
    /** The uid of the account, or undefined for a new account. */
    id?: string
    email?: string
    emailVerified?: boolean
  }
}

/**
 * Decides whether a person from a provider may sign in, and records the provider's proof of the
 * email.
 *
 * @returns the error to refuse with, or nothing
 */
async function checkProviderSignIn(
  { db, providers }: AuthSettings,
  ctx: GenericEndpointContext,
  { providerId, isLinking, claims }: ProviderSignIn,
) {
  if (!(await wasStartedWith(providerId))) {
    log.warn({ provider: providerId }, 'a sign-in ended at another provider than it began with')
    return { error: 'other-provider' }
  }

  const claimsError = checkProviderClaims(providers, providerId, claims)
  if (claimsError) {
    return { error: claimsError }
  }

  const uid = claims.id
  const sessionToken = await readSessionToken(ctx)
  if ((await isConfirmingSignIn()) && !(await isSessionOf(db, uid, sessionToken))) {
    return { error: 'other-account' }
  }

  if (!uid) {
    return
  }

  const isLinkedByOwner = isLinking && (await isRecentSessionOf(db, uid, sessionToken))
  // The learner started at 'Ways to sign in', but the session ended while the provider's page was
  // open.
  const state = await getOAuthState()
  const isLinkRequested = Boolean(state?.link)
  if (isLinkRequested && !isLinkedByOwner) {
    return { error: 'confirm-first' }
  }

  const isFirstSignIn = isLinking && !isLinkedByOwner
  // The provider may have given the email to another person since. The account stays with the
  // first one.
  if (isFirstSignIn && (await hasIdentity(db, uid, providerId))) {
    return { error: 'provider-changed' }
  }

  await proveByProvider(db, uid, { ...claims, isFirstSignIn })
}

/**
 * Returns whether the sign-in began with this provider, whose ID is in the state (see
 * `additionalData` where sign-ins begin).
 *
 * Without this check, a malicious provider could lead the browser to another provider with the
 * state of its own sign-in, and so add an identity of the other provider to the learner's account:
 * the mix-up attack of RFC 9700.
 */
async function wasStartedWith(providerId: string): Promise<boolean> {
  const state = await getOAuthState()
  return state?.providerId === providerId
}

/** Returns whether the sign-in at the provider only confirms who is signed in. */
async function isConfirmingSignIn(): Promise<boolean> {
  const state = await getOAuthState()
  if (!state?.callbackURL) {
    return false
  }

  return new URL(state.callbackURL, 'http://own.invalid').searchParams.has('confirm')
}

/**
 * Returns the name of the cookie that tells scripts whether there may be a session, so that a
 * visitor's page does not ask the server for one. The cookie proves nothing.
 */
export function signedInCookieName(publicUrl: string): string {
  const { port } = new URL(publicUrl)
  return port ? `learnify-signed-in-${port}` : 'learnify-signed-in'
}

/** Sets the script-readable cookie whenever better-auth sets or removes the session cookie. */
function syncSignedInCookie(publicUrl: string, isSecure: boolean) {
  return createAuthMiddleware(async (ctx) => {
    const { name } = ctx.context.authCookies.sessionToken
    for (const cookie of ctx.context.responseHeaders?.getSetCookie() ?? []) {
      const sessionCookie = parseSetCookieHeader(cookie).get(name)
      if (!sessionCookie) {
        continue
      }

      ctx.setCookie(signedInCookieName(publicUrl), '1', {
        path: '/',
        sameSite: 'lax',
        secure: isSecure,
        maxAge: sessionCookie['max-age'],
      })
    }
  })
}

/** The provider's tokens are not stored, because the provider is only asked during the sign-in. */
const noTokens = { accessToken: null, refreshToken: null, idToken: null }

type NewSession = { userId: string; token: string; userAgent?: string | null }
type NewIdentity = { id: string; userId: string; providerId: string }

/**
 * Returns the hooks that run when better-auth writes an account, a session or an identity: sign-ins
 * by a provider or a passkey. `sessionEndpoints` writes the other sessions.
 */
function databaseHooks(settings: AuthSettings) {
  const { db, sessionRules } = settings
  return {
    user: {
      create: {
        async after({ id, emailVerified }: { id: string; emailVerified: boolean }) {
          countEvent('signUps')
          if (emailVerified) {
            await recordEmailVerified(db, id)
          }
        },
      },
    },
    session: {
      create: {
        before: ({ userId }: { userId: string }, ctx: GenericEndpointContext | null) =>
          requireAllowedSignIn(settings, userId, ctx),
        async after(session: NewSession, ctx: GenericEndpointContext | null) {
          if (ctx) {
            await recordNewSession(settings, session, ctx)
          }
        },
      },
      update: {
        async before(changes: Partial<Session>, ctx: GenericEndpointContext | null) {
          const createdAt = ctx?.context.session?.session.createdAt
          if (changes.expiresAt && createdAt) {
            return { data: { ...changes, expiresAt: getSessionEnd(sessionRules, createdAt) } }
          }
        },
      },
    },
    account: {
      create: {
        before: async () => ({ data: noTokens }),
        after: (identity: NewIdentity, ctx: GenericEndpointContext | null) =>
          recordNewIdentity(db, identity, ctx),
      },
      // Linking a provider again updates its row.
      update: { before: async () => ({ data: noTokens }) },
    },
  }
}

/** The code of the error that stops a sign-in whose second step has not been passed. */
export const secondStepRequired = 'SECOND_STEP'

/**
 * Keeps better-auth from writing a session that the account's rules forbid.
 *
 * @throws {APIError} if the school requires another sign-in method for this email, or if the second
 *   step is missing. In the second case, the message is the account's uid.
 */
async function requireAllowedSignIn(
  { db, providers }: AuthSettings,
  uid: string,
  ctx: GenericEndpointContext | null,
): Promise<void> {
  const user = await findUser(db, uid)
  if (!isSignInMethodAllowed(providers, user?.email ?? null, getSignInMethod(ctx))) {
    throw new APIError('FORBIDDEN', { code: 'use-organization' })
  }

  // A passkey is two factors in one: the device, and the lock that the learner opened it with.
  const isPasskey = ctx?.path === passkeySignInPath
  if (!isPasskey && (await hasTwoFactor(db, uid))) {
    throw new APIError('FORBIDDEN', { code: secondStepRequired, message: uid })
  }
}

/**
 * Adds everything that belongs to a session which better-auth has just written.
 *
 * @throws if that fails, which leaves the browser without the session's cookie
 */
async function recordNewSession(
  settings: AuthSettings,
  { userId: uid, userAgent, token }: NewSession,
  ctx: GenericEndpointContext,
): Promise<void> {
  const { db, sessionRules, knownBrowsers } = settings
  const passwordHash = await findPasswordHash(db, uid)
  const user = await findUser(db, uid)

  await completeSession(db, sessionRules, {
    uid,
    token,
    signInMethod: getSignInMethod(ctx),
    userAgent: userAgent ?? '',
    previousToken: await readSessionToken(ctx),
    isNewDevice: await shouldEmailAboutNewDevice(settings, ctx, user, passwordHash),
  })
  await tryToRecordLoginTime(db, uid)
  rememberBrowserOfProviderSignIn(knownBrowsers, ctx, uid, passwordHash)
}

/** Records that an account can be signed in to by a provider, and tells its owner. */
async function recordNewIdentity(
  db: Database,
  { id, userId, providerId }: NewIdentity,
  ctx: GenericEndpointContext | null,
): Promise<void> {
  const userAgent = ctx?.headers?.get('user-agent') ?? ''
  await db.transaction(async (tx) => {
    await recordProviderProof(tx, id)
    await recordSecurityEvent(tx, userId, {
      kind: 'sign-in-method-added',
      way: providerId,
      userAgent,
    })

    const user = await findUser(tx, userId)
    if (user && !isNewAccount(user.createdAt)) {
      await mailSecurityChange(tx, userId, getProviderAddedEmail(providerId))
    }
  })
}

function getProviderAddedEmail(providerId: string) {
  if (providerId === 'google' || providerId === 'facebook') {
    return `${providerId}-added` as const
  }

  return 'way-added'
}

/** Returns how the learner signs in, for the security log. */
function getSignInMethod(ctx: GenericEndpointContext | null): string {
  if (ctx?.path === passkeySignInPath) {
    return 'passkey'
  }

  return ctx?.params?.id ?? ctx?.params?.providerId ?? 'unknown'
}

/** Returns the token in the signed session cookie. The session may have ended. */
async function readSessionToken(ctx: GenericEndpointContext): Promise<string | null> {
  const { name } = ctx.context.authCookies.sessionToken
  const token = await ctx.getSignedCookie(name, ctx.context.secret)

  return token || null
}

/**
 * Returns whether the account's owner gets an email about a sign-in: if the account does not know
 * the browser. A limit keeps someone who signs in again and again from flooding the mailbox.
 */
async function shouldEmailAboutNewDevice(
  { db, attempts, knownBrowsers }: AuthSettings,
  ctx: GenericEndpointContext,
  user: { id: string; createdAt: Date } | null,
  passwordHash: string | null,
): Promise<boolean> {
  if (!user || user.id === demoUid || isNewAccount(user.createdAt)) {
    return false
  }

  if (isKnownBrowser(knownBrowsers, ctx, user.id, passwordHash)) {
    return false
  }

  // An invited learner who signs in for the first time has no other browser yet.
  const account = await findUser(db, user.id)
  if (account?.lastLoginAt === null) {
    return false
  }

  return attempts.consume(attemptLimits.deviceMailByAccount, user.id)
}

/** Records the time of a sign-in. A failure is only logged, because the sign-in matters more. */
async function tryToRecordLoginTime(db: Database, uid: string): Promise<void> {
  await recordLoginTime(db, uid).catch((error) =>
    log.error({ err: error }, 'the time of a sign-in was not written'),
  )
}

const verifiedSignIn = z.object({
  uid: z.string(),
  signInMethod: z.string(),
  proof: z.union([
    z.object({ passwordHash: z.string() }),
    z.object({ secondStepToken: z.string() }),
  ]),
  rememberMe: z.boolean(),
})

/**
 * Returns the plugin that replaces better-auth's `signInEmail` and `signOut`; the file's header
 * says why. Only the server calls these endpoints: they have no URL.
 */
function sessionEndpoints(settings: AuthSettings) {
  const { db, sessionRules } = settings
  return {
    id: 'learnify-sessions',
    endpoints: {
      /**
       * Signs the browser in after the password or the second step was verified.
       *
       * @returns the token for the second step if the account requires one, otherwise null
       * @throws {APIError} 401 if the proof is no longer valid, for example after a new password
       */
      beginSession: createAuthEndpoint.serverOnly(
        { method: 'POST', requireHeaders: true, body: verifiedSignIn },
        async (ctx) => {
          const { internalAdapter, authCookies } = ctx.context
          const { uid, proof, rememberMe } = ctx.body
          const user = await internalAdapter.findUserById(uid)
          if (!user) {
            throw new APIError('UNAUTHORIZED')
          }

          const passwordHash =
            'passwordHash' in proof ? proof.passwordHash : await findPasswordHash(db, uid)
          const session = await createSession(db, sessionRules, {
            ...ctx.body,
            userAgent: ctx.headers.get('user-agent') ?? '',
            previousToken: await readSessionToken(ctx),
            isNewDevice: await shouldEmailAboutNewDevice(settings, ctx, user, passwordHash),
          })
          if (!session) {
            throw new APIError('UNAUTHORIZED')
          }

          if (typeof session === 'string') {
            return session
          }

          await tryToRecordLoginTime(db, uid)
          await setSessionCookie(ctx, { session, user }, !rememberMe)
          if (rememberMe) {
            expireCookie(ctx, authCookies.dontRememberToken)
          }

          return null
        },
      ),

      /** Ends the browser's session. Calling it again does no harm. */
      endSession: createAuthEndpoint.serverOnly(
        { method: 'POST', requireHeaders: true },
        async (ctx) => {
          const token = await readSessionToken(ctx)
          if (token) {
            await ctx.context.internalAdapter.deleteSession(token)
          }

          deleteSessionCookie(ctx)
        },
      ),

      readSessionToken: createAuthEndpoint.serverOnly(
        { method: 'GET', requireHeaders: true },
        readSessionToken,
      ),
    },
  } satisfies BetterAuthPlugin
}

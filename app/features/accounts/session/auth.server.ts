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
import { loopbackOrigins } from '~/server/http/loopback.server'
import { log } from '~/server/operations/log.server'
import { countEvent } from '~/server/operations/metrics/counters.server'
import {
  demoUid,
  findPasswordHash,
  findUser,
  hasIdentity,
  recordLogin,
} from '../account-queries.server'
import { type AttemptCounter, attemptLimits } from '../attempt-limits.server'
import {
  proveByProvider,
  recordEmailVerified,
  recordProviderProof,
} from '../email-address/owner-proof.server'
import { passkeyPlugin, passkeySignInPath } from '../passkeys/passkey-plugin.server'
import { recordSecurityEvent } from '../security/security-log.server'
import { isNewAccount, mailSecurityChange } from '../security/security-mails.server'
import {
  isKnownBrowser,
  type KnownBrowsers,
  rememberProvidersBrowser,
} from '../sign-in/known-browsers.server'
import { isConfirmingSignIn } from '../social/confirming-sign-in.server'
import { isWayOpen, refusalOfPerson } from '../social/organizations'
import type { SocialConfiguration } from '../social/social-providers.server'
import { isOwnConfirmedSession, isOwnSession } from '../step-up/step-up.server'
import { hasSecondStep } from '../two-factor/authenticator-app.server'
import { versionedSecrets } from './former-secrets.server'
import { completeSession, createSession } from './new-session.server'
import { renewalSeconds, type SessionRules, sessionEnd } from './session-rules.server'

export type AuthSettings = {
  db: Database
  publicUrl: string
  /** On a loopback address, every host name of this machine belongs to the product. */
  loopback: boolean
  secret: string
  /** Earlier secrets, which still decrypt stored values. */
  formerSecrets?: readonly string[]
  /** All providers, including those of single sign-on. */
  providers: SocialConfiguration[]
  sessionRules: SessionRules
  attempts: AttemptCounter
  knownBrowsers: KnownBrowsers
}

export type Auth = ReturnType<typeof createAuth>

/**
 * better-auth with the product's tables, cookies and hooks: accounts, sessions and social sign-in.
 *
 * @param offered the providers that this instance handles.
 */
export function createAuth(settings: AuthSettings, offered: readonly SocialConfiguration[]) {
  const { db, publicUrl, loopback, secret, formerSecrets = [], sessionRules } = settings
  const { host, protocol } = new URL(publicUrl)
  const secure = protocol === 'https:'
  const names = loopback ? loopbackOrigins(publicUrl).map((origin) => new URL(origin).host) : []

  return betterAuth({
    appName: 'Learnify',
    baseURL: {
      allowedHosts: [host, ...names],
      protocol: secure ? 'https' : 'http',
      fallback: publicUrl,
    },
    basePath: '/account',
    // As the HTTP server sets it: the product's own origin, by the host name of the page's request.
    trustedOrigins: (request?: Request) => (request ? [new URL(request.url).origin] : []),
    // Without a number of its secret, a value was encrypted by the oldest one.
    secret: formerSecrets.at(-1) ?? secret,
    secrets: versionedSecrets([secret, ...formerSecrets]),
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
    // Limits are the product's own: by account and by client, see attempt-limits.server.ts.
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    // No level: with one, better-auth also prints refusals by itself, past this log.
    logger: {
      log: (_level: string, message: string, ...details: unknown[]) => {
        const err = details.find((detail) => detail instanceof Error)
        // better-auth throws an error of its own, without the cause.
        recordOutage(err)
        log.warn({ message, err }, 'better-auth')
      },
    },
    advanced: {
      disableOriginCheck: false,
      ipAddress: { disableIpTracking: true },
      // better-auth's own prefix would be `__Secure-`, which is weaker than the product's
      // `__Host-`.
      useSecureCookies: false,
      cookiePrefix: cookiePrefix(publicUrl),
      defaultCookieAttributes: { httpOnly: true, sameSite: 'lax', secure, path: '/' },
    },
    // Passkeys are added by a confirmed session, see step-up.server.ts; its age says nothing.
    session: {
      expiresIn: sessionRules.idleSeconds,
      updateAge: renewalSeconds(sessionRules),
      freshAge: 0,
    },
    account: {
      // In the database, every visit to the address of a social sign-in would leave a row.
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
      async validateUserInfo({ user, source }, ctx) {
        const provider = source.oauth?.providerId ?? ''
        const refused = refusalOfPerson(settings.providers, provider, user)
        if (refused) {
          return { error: refused }
        }

        if (
          (await isConfirmingSignIn()) &&
          !(await isOwnSession(db, user.id, await readToken(ctx)))
        ) {
          return { error: 'other-account' }
        }

        if (!user.id) {
          return
        }

        const isOwner =
          source.action === 'link-account' &&
          (await isOwnConfirmedSession(db, user.id, await readToken(ctx)))
        // The session that asked for it at 'Ways to sign in' may have ended at the provider's page.
        if ((await getOAuthState())?.link && !isOwner) {
          return { error: 'confirm-first' }
        }

        const firstTime = source.action === 'link-account' && !isOwner
        // The provider may have given the address to another person. The account stays with the
        // first one.
        if (firstTime && (await hasIdentity(db, user.id, provider))) {
          return { error: 'provider-changed' }
        }

        await proveByProvider(db, user.id, { ...user, firstTime })
      },
    },
    databaseHooks: databaseHooks(settings),
    hooks: { after: signedInCookie(publicUrl, secure) },
    // An unexpected error reaches this product's own log; better-auth would print its values.
    onAPIError: { throw: true, errorURL: `${publicUrl}/account/social-end` },
    plugins: [
      admin({ defaultRole: 'learner' }),
      genericOAuth({ config: offered.map(({ config }) => config) }),
      passkeyPlugin(db, publicUrl),
      sessionEndpoints(settings),
    ],
  })
}

/**
 * Returns the beginning of the cookies' names. It contains the port, because cookies ignore ports
 * and two products may share a host name. `__Host-` limits a cookie to this host and to https.
 */
function cookiePrefix(publicUrl: string): string {
  const { port, protocol } = new URL(publicUrl)
  return protocol === 'https:' ? `__Host-learnify${port && `-${port}`}` : `learnify-${port || 80}`
}

/**
 * Returns the name of the cookie that tells scripts whether there may be a session, so that the
 * page of a visitor does not ask the server for one. The cookie proves nothing.
 */
export function signedInMarker(publicUrl: string): string {
  const { port } = new URL(publicUrl)
  return port ? `learnify-signed-in-${port}` : 'learnify-signed-in'
}

/**
 * Sets the script-readable session cookie wherever better-auth sets or removes the session's own.
 */
function signedInCookie(publicUrl: string, secure: boolean) {
  return createAuthMiddleware(async (ctx) => {
    const { name } = ctx.context.authCookies.sessionToken
    for (const cookie of ctx.context.responseHeaders?.getSetCookie() ?? []) {
      const session = parseSetCookieHeader(cookie).get(name)
      if (!session) {
        continue
      }

      ctx.setCookie(signedInMarker(publicUrl), '1', {
        path: '/',
        sameSite: 'lax',
        secure,
        maxAge: session['max-age'],
      })
    }
  })
}

/** Tokens aren't stored, because the provider is asked only once, at sign-in. */
const noTokens = { accessToken: null, refreshToken: null, idToken: null }

type NewSession = { userId: string; token: string; userAgent?: string | null }
type NewIdentity = { id: string; userId: string; providerId: string }

/** Hooks that run at every sign-in and with every identity, by password or by a provider. */
function databaseHooks(settings: AuthSettings) {
  const { db, sessionRules: rules, knownBrowsers } = settings
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
        async before({ userId }: { userId: string }, ctx: GenericEndpointContext | null) {
          const email = (await findUser(db, userId))?.email ?? ''
          if (!isWayOpen(settings.providers, email, wayOf(ctx))) {
            throw new APIError('FORBIDDEN', { code: 'use-organization' })
          }

          // A passkey is two factors: the device, and the lock that it was opened with.
          if (ctx?.path !== passkeySignInPath) {
            await requireNoSecondStep(db, userId)
          }
        },
        async after(session: NewSession, ctx: GenericEndpointContext | null) {
          const { userId: uid, userAgent, token } = session
          if (!ctx) {
            return
          }

          const way = wayOf(ctx)
          const hash = (await findPasswordHash(db, uid)) ?? ''
          const isNewDevice = await isNews(settings, ctx, await findUser(db, uid), hash)
          const formerToken = await readToken(ctx)
          // Without the record there is no sign-in: its error leaves the browser without the
          // cookie.
          const signIn = { uid, way, userAgent: userAgent ?? '', token, formerToken, isNewDevice }
          await completeSession(db, rules, signIn)
          await noteLogin(db, uid)
          rememberProvidersBrowser(knownBrowsers, ctx, uid, hash)
        },
      },
      update: {
        async before(changes: Partial<Session>, ctx: GenericEndpointContext | null) {
          const createdAt = ctx?.context.session?.session.createdAt
          if (changes.expiresAt && createdAt) {
            return { data: { ...changes, expiresAt: sessionEnd(rules, createdAt) } }
          }
        },
      },
    },
    account: {
      create: {
        before: async () => ({ data: noTokens }),
        async after({ id, userId, providerId }: NewIdentity, ctx: GenericEndpointContext | null) {
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
              await mailSecurityChange(tx, userId, wayAdded(providerId))
            }
          })
        },
      },
      // Linking a provider again updates its row.
      update: { before: async () => ({ data: noTokens }) },
    },
  }
}

/** The code of the error below. A provider's redirect back carries it as `error`. */
export const secondStepDue = 'SECOND_STEP'

/**
 * Keeps better-auth from writing a session while the account's second step has not been passed.
 *
 * @throws {APIError} with the account's uid as its message
 */
async function requireNoSecondStep(db: Database, uid: string): Promise<void> {
  if (await hasSecondStep(db, uid)) {
    throw new APIError('FORBIDDEN', { code: secondStepDue, message: uid })
  }
}

/** The way of the current sign-in, for the security log. */
function wayOf(ctx: GenericEndpointContext | null): string {
  return ctx?.path === passkeySignInPath
    ? 'passkey'
    : (ctx?.params?.id ?? ctx?.params?.providerId ?? 'unknown')
}

/** The session's token by the signed cookie. The session may have ended. */
async function readToken(ctx: GenericEndpointContext): Promise<string | null> {
  return (
    (await ctx.getSignedCookie(ctx.context.authCookies.sessionToken.name, ctx.context.secret)) ||
    null
  )
}

/**
 * Whether the account's owner should hear of a sign-in: the browser is unknown to the account. A
 * limit keeps a thief in a hurry from flooding the mailbox.
 */
async function isNews(
  { attempts, knownBrowsers }: AuthSettings,
  ctx: GenericEndpointContext,
  user: { id: string; createdAt: Date } | null,
  hash: string,
): Promise<boolean> {
  if (!user || user.id === demoUid || isNewAccount(user.createdAt)) {
    return false
  }

  if (isKnownBrowser(knownBrowsers, ctx, user.id, hash)) {
    return false
  }

  return attempts.take(attemptLimits.deviceMailByAccount, user.id)
}

const wayAdded = (provider: string) =>
  provider === 'google' || provider === 'facebook' ? (`${provider}-added` as const) : 'way-added'

/** Less important than the sign-in. */
async function noteLogin(db: Database, uid: string): Promise<void> {
  await recordLogin(db, uid).catch((error) =>
    log.error({ err: error }, 'the time of a sign-in was not written'),
  )
}

const checkedSignIn = z.object({
  uid: z.string(),
  way: z.string(),
  proof: z.union([z.object({ hash: z.string() }), z.object({ secondStep: z.string() })]),
  rememberMe: z.boolean(),
})

/**
 * A plugin that replaces better-auth's `signInEmail`, which refuses valid addresses like
 * `jörg@example.com` and `ivan@example.xn--p1ai`. It reports an unknown address as a wrong
 * password. Rows, hooks and cookies are better-auth's. Only the server calls these endpoints: they
 * have no address.
 */
function sessionEndpoints(settings: AuthSettings) {
  const { db, sessionRules: rules } = settings
  return {
    id: 'learnify-sessions',
    endpoints: {
      /**
       * Signs the browser in after its password or its second step was checked.
       *
       * @returns the token for the second step if that has to follow, or null.
       * @throws {APIError} 401 if the password has changed since.
       */
      beginSession: createAuthEndpoint.serverOnly(
        { method: 'POST', requireHeaders: true, body: checkedSignIn },
        async (ctx) => {
          const { internalAdapter, authCookies } = ctx.context
          const { uid, proof, rememberMe } = ctx.body
          const user = await internalAdapter.findUserById(uid)
          const userAgent = ctx.headers.get('user-agent') ?? ''
          const hash = 'hash' in proof ? proof.hash : ((await findPasswordHash(db, uid)) ?? '')
          const isNewDevice = await isNews(settings, ctx, user, hash)
          const signIn = { ...ctx.body, userAgent, formerToken: await readToken(ctx), isNewDevice }
          const session = user && (await createSession(db, rules, signIn))
          if (!session) {
            throw new APIError('UNAUTHORIZED')
          }

          if (typeof session === 'string') {
            return session
          }

          await noteLogin(db, uid)
          await setSessionCookie(ctx, { session, user }, !rememberMe)
          if (rememberMe) {
            expireCookie(ctx, authCookies.dontRememberToken)
          }

          return null
        },
      ),

      /**
       * Ends the browser's session; idempotent. better-auth's `signOut` reports success even if the
       * database fails.
       */
      endSession: createAuthEndpoint.serverOnly(
        { method: 'POST', requireHeaders: true },
        async (ctx) => {
          const token = await readToken(ctx)
          if (token) {
            await ctx.context.internalAdapter.deleteSession(token)
          }

          deleteSessionCookie(ctx)
        },
      ),

      readSessionToken: createAuthEndpoint.serverOnly(
        { method: 'GET', requireHeaders: true },
        readToken,
      ),
    },
  } satisfies BetterAuthPlugin
}

/**
 * Configures better-auth: tables, cookies, secrets, providers, and the checks that run at every
 * sign-in.
 *
 * better-auth handles OAuth, passkeys and the session cookie. Its endpoints for signing in and out
 * by password are replaced (`session-endpoints.server.ts`).
 */
import { betterAuth } from 'better-auth'
import { drizzleAdapter } from 'better-auth/adapters/drizzle'
import { admin, genericOAuth } from 'better-auth/plugins'
import { recordOutage } from '~/server/database/outage.server'
import {
  identities,
  passkeys,
  sessions,
  users,
  verifications,
} from '~/server/database/schema/index'
import { listLoopbackOrigins } from '~/server/http/loopback-url.server'
import { log } from '~/server/operations/log.server'
import { passkeyPlugin } from '../passkeys/passkey-plugin.server'
import { toVersionedSecrets } from '../secret-rotation.server'
import { clockTolerance } from '../social/id-token.server'
import { checkProviderSignIn } from '../social/provider-sign-in.server'
import type { ProviderConfiguration } from '../social/social-providers.server'
import { createDatabaseHooks } from './auth-hooks.server'
import type { AuthSettings } from './auth-settings.server'
import { sessionEndpoints } from './session-endpoints.server'
import { getExtensionIntervalSeconds } from './session-rules.server'
import { createSignedInCookieHook } from './signed-in-cookie.server'

export type Auth = ReturnType<typeof createAuth>

/**
 * Creates an instance of better-auth.
 *
 * @param handledProviders the providers whose sign-ins this instance handles
 */
export function createAuth(
  settings: AuthSettings,
  handledProviders: readonly ProviderConfiguration[],
) {
  const { db, publicUrl, isLoopback, secret, previousSecrets = [], sessionRules } = settings
  const { host, protocol } = new URL(publicUrl)
  const isSecure = protocol === 'https:'
  const loopbackHosts = isLoopback
    ? listLoopbackOrigins(publicUrl).map((origin) => new URL(origin).host)
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
    // No level is set. If one were set, better-auth would also print refusals to the console.
    logger: {
      log: (_level: string, message: string, ...details: unknown[]) => {
        const err = details.find((detail) => detail instanceof Error)
        // better-auth throws another error, which does not contain this cause.
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
      updateAge: getExtensionIntervalSeconds(sessionRules),
      // step-up.server.ts requires a recent sign-in instead of a fresh session.
      freshAge: 0,
    },
    account: {
      // If the OAuth state were stored in the database, every start of a social sign-in would leave
      // a row there.
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
        const addsIdentity = source.action === 'link-account'
        const { id: uid, ...claims } = user
        return checkProviderSignIn(settings, ctx, { providerId, addsIdentity, uid, claims })
      },
    },
    databaseHooks: createDatabaseHooks(settings),
    hooks: { after: createSignedInCookieHook(publicUrl) },
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

import { betterAuth } from 'better-auth'
import { drizzleAdapter } from 'better-auth/adapters/drizzle'
import { admin, genericOAuth } from 'better-auth/plugins'
import type { Database } from '~/server/database/client.server'
import { identities, sessions, users, verifications } from '~/server/database/schema/index'
import { log } from '~/server/log.server'
import { loopbackOrigins } from '~/server/loopback.server'
import { countEvent } from '~/server/metrics/counters.server'
import { recordLogin } from '../account-queries.server'
import { proveByProvider, recordEmailVerified, recordProviderProof } from '../email-address/email-proof.server'
import type { SocialConfiguration } from '../social/social-providers.server'
import { sessionEndpoints } from './session-endpoints.server'

const day = 24 * 60 * 60
/** How long a session lasts that nobody uses: with "Remember me", and without, unless the browser is closed before. */
export const sessionSeconds = { remembered: 30 * day, forgotten: day }

export type AuthSettings = {
  db: Database
  publicUrl: string
  /** Then every name of this machine belongs to the product. */
  loopback: boolean
  secret: string
  providers: SocialConfiguration[]
}

export type Auth = ReturnType<typeof createAuth>

/**
 * better-auth with the product's tables, cookies and hooks: sessions and social sign-in are its part of the accounts.
 */
export function createAuth({ db, publicUrl, loopback, secret, providers }: AuthSettings) {
  const { host, port, protocol } = new URL(publicUrl)
  const secure = protocol === 'https:'
  const names = loopback ? loopbackOrigins(publicUrl).map((origin) => new URL(origin).host) : []
  return betterAuth({
    appName: 'Learnify',
    baseURL: { allowedHosts: [host, ...names], protocol: secure ? 'https' : 'http', fallback: publicUrl },
    basePath: '/account',
    // As the HTTP front has it: the product's own origin, by the name that the page itself was fetched from.
    trustedOrigins: (request?: Request) => (request ? [new URL(request.url).origin] : []),
    secret,
    database: drizzleAdapter(db, {
      provider: 'pg',
      schema: { user: users, session: sessions, account: identities, verification: verifications },
    }),
    // Limits are the product's own: by account and by client, see attempt-limits.server.ts.
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    // No level: with one, better-auth also prints refusals by itself, past this log.
    logger: {
      log: (_level: string, message: string, ...details: unknown[]) =>
        log.warn({ message, err: details.find((detail) => detail instanceof Error) }, 'better-auth'),
    },
    advanced: {
      disableOriginCheck: false,
      ipAddress: { disableIpTracking: true },
      // `__Host-`: only this host, only over https. Products on one host differ by port, which cookies ignore.
      useSecureCookies: false,
      cookiePrefix: secure ? `__Host-learnify${port && `-${port}`}` : `learnify-${port || 80}`,
      defaultCookieAttributes: { httpOnly: true, sameSite: 'lax', secure, path: '/' },
    },
    session: { expiresIn: sessionSeconds.remembered, updateAge: day },
    account: {
      updateAccountOnSignIn: false,
      accountLinking: { enabled: true, requireLocalEmailVerified: false, trustedProviders: [] },
    },
    user: {
      additionalFields: { firstName: { type: 'string' }, lastName: { type: 'string' }, provider: { type: 'string' } },
      async validateUserInfo({ user, source }) {
        if (user.id) await proveByProvider(db, user.id, { ...user, firstTime: source.action === 'link-account' })
      },
    },
    databaseHooks: databaseHooks(db),
    // An unexpected error reaches this product's own log; better-auth would print its values.
    onAPIError: { throw: true, errorURL: `${publicUrl}/account/social-end` },
    plugins: [
      admin({ defaultRole: 'learner' }),
      genericOAuth({ config: providers.map(({ config }) => config) }),
      sessionEndpoints(),
    ],
  })
}

/** What has to happen at every sign-in and with every identity, whichever way it came. */
function databaseHooks(db: Database) {
  return {
    user: {
      create: {
        async after({ id, emailVerified }: { id: string; emailVerified: boolean }) {
          countEvent('signUps')
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

/**
 * Replaces better-auth's endpoints for signing in by password and for signing out, because they do
 * not do what the product promises: `signInEmail` refuses valid emails like `jörg@example.com`, and
 * `signOut` reports success even if the database fails.
 *
 * Only the server calls these endpoints: they have no URL.
 */
import type { BetterAuthPlugin } from 'better-auth'
import { APIError, createAuthEndpoint } from 'better-auth/api'
import { deleteSessionCookie, expireCookie, setSessionCookie } from 'better-auth/cookies'
import * as z from 'zod'
import { tryToRecordLoginTime } from '../account-queries.server'
import { findPasswordHash } from '../password/password-queries.server'
import type { AuthSettings } from './auth-settings.server'
import { shouldEmailAboutNewDevice } from './new-device.server'
import { createSession } from './new-session.server'
import { readSessionToken } from './session-token.server'

const verifiedSignIn = z.object({
  uid: z.string(),
  signInMethod: z.string(),
  proof: z.union([
    z.object({ passwordHash: z.string() }),
    z.object({ secondStepToken: z.string() }),
  ]),
  rememberMe: z.boolean(),
})

/** Returns the plugin with the endpoints. */
export function sessionEndpoints(settings: AuthSettings) {
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
          const result = await createSession(db, sessionRules, {
            ...ctx.body,
            userAgent: ctx.headers.get('user-agent') ?? '',
            previousToken: await readSessionToken(ctx),
            isNewDevice: await shouldEmailAboutNewDevice(settings, ctx, uid, passwordHash),
          })
          if (result.status === 'proof-invalid') {
            throw new APIError('UNAUTHORIZED')
          }

          if (result.status === 'second-step-required') {
            return result.secondStepToken
          }

          await tryToRecordLoginTime(db, uid)
          await setSessionCookie(ctx, { session: result.session, user }, !rememberMe)
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

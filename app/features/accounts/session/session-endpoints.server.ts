import type { BetterAuthPlugin } from 'better-auth'
import { APIError, createAuthEndpoint } from 'better-auth/api'
import { deleteSessionCookie, expireCookie, setSessionCookie } from 'better-auth/cookies'
import { eq } from 'drizzle-orm'
import * as z from 'zod'
import type { Database } from '~/server/database/client.server'
import { users } from '~/server/database/schema/index'
import { findPasswordHash } from '../password/password-queries.server'

const checkedPassword = z.object({ uid: z.string(), hash: z.string(), rememberMe: z.boolean() })

/**
 * A plugin with what better-auth's own `signInEmail` can't do: it refuses addresses that this product takes, like
 * `jörg@example.com` and `ivan@example.xn--p1ai`, and reports an unknown address as a wrong password. Rows, hooks and
 * cookies are better-auth's. Only the server calls these endpoints: they have no address.
 */
export function sessionEndpoints(db: Database) {
  return {
    id: 'learnify-sessions',
    endpoints: {
      /** Signs the browser in after its password was checked. @throws {APIError} 401 if the password has changed since. */
      beginSession: createAuthEndpoint.serverOnly(
        { method: 'POST', requireHeaders: true, body: checkedPassword },
        async (ctx) => {
          const { internalAdapter, authCookies } = ctx.context
          const { uid, hash, rememberMe } = ctx.body
          const user = await internalAdapter.findUserById(uid)
          if (!user) throw new APIError('UNAUTHORIZED')
          const session = await internalAdapter.createSession(uid, !rememberMe)
          if (!(await signsIn(db, uid, hash))) {
            await internalAdapter.deleteSession(session.token)
            throw new APIError('UNAUTHORIZED')
          }
          await setSessionCookie(ctx, { session, user }, !rememberMe)
          if (rememberMe) expireCookie(ctx, authCookies.dontRememberToken)
        },
      ),

      /** Ends the browser's session; again is harmless. */
      endSession: createAuthEndpoint.serverOnly({ method: 'POST', requireHeaders: true }, async (ctx) => {
        const token = await ctx.getSignedCookie(ctx.context.authCookies.sessionToken.name, ctx.context.secret)
        if (token) await ctx.context.internalAdapter.deleteSession(token)
        deleteSessionCookie(ctx)
      }),

      /** The token that the signed cookie holds. The session may have ended. */
      readSessionToken: createAuthEndpoint.serverOnly({ method: 'GET', requireHeaders: true }, async (ctx) => {
        const token = await ctx.getSignedCookie(ctx.context.authCookies.sessionToken.name, ctx.context.secret)
        return token || null
      }),
    },
  } satisfies BetterAuthPlugin
}

/**
 * Whether a password that was checked is still the account's. Waits for a transaction that changes it or disables the
 * account, as they lock the account first: either that transaction ends the new session, or this finds out.
 */
function signsIn(db: Database, uid: string, hash: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    const [user] = await tx.select({ disabled: users.banned }).from(users).where(eq(users.id, uid)).for('share')
    if (!user || user.disabled) return false
    return (await findPasswordHash(tx, uid)) === hash
  })
}

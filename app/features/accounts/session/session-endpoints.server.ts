import type { BetterAuthPlugin } from 'better-auth'
import { createAuthEndpoint } from 'better-auth/api'
import { deleteSessionCookie, setSessionCookie } from 'better-auth/cookies'
import * as z from 'zod'
import type { UserRow } from '../account-queries.server'

type Context = Parameters<typeof setSessionCookie>[0]

const beginning = z.object({ user: z.custom<UserRow>(), rememberMe: z.boolean() })

/** Begins and ends sessions with the cookies of better-auth. Only this server can call them: they have no address. */
export function sessionEndpoints() {
  return {
    id: 'learnify-sessions',
    endpoints: {
      /** The session that the browser had before ends, so that none is left behind unseen. */
      beginSession: createAuthEndpoint.serverOnly(
        { method: 'POST', body: beginning, requireHeaders: true },
        async (ctx) => {
          const { user, rememberMe } = ctx.body
          const { authCookies, internalAdapter } = ctx.context
          await deleteOwnSession(ctx)
          const session = await internalAdapter.createSession(user.id, !rememberMe)
          await setSessionCookie(ctx, { session, user }, !rememberMe)
          const { name, attributes } = authCookies.dontRememberToken
          if (rememberMe) ctx.setCookie(name, '', { ...attributes, maxAge: 0 })
          return { token: session.token }
        },
      ),
      endSession: createAuthEndpoint.serverOnly({ method: 'POST', requireHeaders: true }, async (ctx) => {
        await deleteOwnSession(ctx)
        deleteSessionCookie(ctx)
      }),
    },
  } satisfies BetterAuthPlugin
}

async function deleteOwnSession(ctx: Context): Promise<void> {
  const token = await ctx.getSignedCookie(ctx.context.authCookies.sessionToken.name, ctx.context.secret)
  if (token) await ctx.context.internalAdapter.deleteSession(token)
}

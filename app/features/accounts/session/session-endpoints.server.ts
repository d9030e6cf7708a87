import type { BetterAuthPlugin } from 'better-auth'
import { createAuthEndpoint } from 'better-auth/api'
import { deleteSessionCookie } from 'better-auth/cookies'

/** Ends sessions with the cookies of better-auth. Only this server can call it: it has no address. */
export function sessionEndpoints() {
  return {
    id: 'learnify-sessions',
    endpoints: {
      endSession: createAuthEndpoint.serverOnly({ method: 'POST', requireHeaders: true }, async (ctx) => {
        const token = await ctx.getSignedCookie(ctx.context.authCookies.sessionToken.name, ctx.context.secret)
        if (token) await ctx.context.internalAdapter.deleteSession(token)
        deleteSessionCookie(ctx)
      }),
    },
  } satisfies BetterAuthPlugin
}

import type { GenericEndpointContext } from 'better-auth'

/**
 * Returns the token in the request's signed session cookie, or null. The session may have ended.
 */
export async function readSessionToken(ctx: GenericEndpointContext): Promise<string | null> {
  const { name } = ctx.context.authCookies.sessionToken
  const token = await ctx.getSignedCookie(name, ctx.context.secret)

  return token || null
}

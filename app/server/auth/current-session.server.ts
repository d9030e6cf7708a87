import { getSessionFromCtx } from 'better-auth/api'

type Context = Parameters<typeof getSessionFromCtx>[0]
type Session = NonNullable<Awaited<ReturnType<typeof getSessionFromCtx>>>

/**
 * The session of a request, or null for nobody.
 *
 * @throws while the database fails: better-auth then says that nobody is signed in, and a browser would believe it.
 */
export async function findCurrentSession(ctx: Context): Promise<Pick<Session, 'user'> | null> {
  const session = await getSessionFromCtx(ctx)
  if (session) return session
  const { sessionToken } = ctx.context.authCookies
  const token = await ctx.getSignedCookie(sessionToken.name, ctx.context.secret)
  const found = token ? await ctx.context.internalAdapter.findSession(token) : null
  return found && found.session.expiresAt > new Date() ? found : null
}

/**
 * The cookie that tells scripts whether there may be a session, so that a visitor's page does not
 * ask the server for one. Scripts can read this cookie, and it proves nothing.
 */
import { createAuthMiddleware } from 'better-auth/api'
import { parseSetCookieHeader } from 'better-auth/cookies'

/** Returns the cookie's name. It contains the port, because cookies ignore ports. */
export function signedInCookieName(publicUrl: string): string {
  const { port } = new URL(publicUrl)
  return port ? `learnify-signed-in-${port}` : 'learnify-signed-in'
}

/**
 * Returns the hook that sets or removes the cookie whenever better-auth sets or removes the session
 * cookie.
 */
export function createSignedInCookieHook(publicUrl: string) {
  const isSecure = new URL(publicUrl).protocol === 'https:'

  return createAuthMiddleware(async (ctx) => {
    const { name } = ctx.context.authCookies.sessionToken
    const setCookieHeaders = ctx.context.responseHeaders?.getSetCookie() ?? []
    for (const header of setCookieHeaders) {
      const sessionCookie = parseSetCookieHeader(header).get(name)
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

import { parseSetCookieHeader } from 'better-auth/cookies'
import { parseSigned, serialize } from 'hono/utils/cookie'
import type { AccountService } from '../account-service.server'
import { signedInMarker } from './signed-in-marker'

/**
 * Hands better-auth's cookies on to an answer. Beside the session's, which no script can read, goes one that says only
 * that there is a session.
 */
export async function handOnCookies(service: AccountService, from: Headers, to: Headers): Promise<void> {
  const { name, attributes } = (await service.auth.$context).authCookies.sessionToken
  for (const cookie of from.getSetCookie()) {
    to.append('Set-Cookie', cookie)
    const session = parseSetCookieHeader(cookie).get(name)
    if (!session) continue
    const marker = { path: '/', sameSite: 'lax', secure: attributes.secure, maxAge: session['max-age'] } as const
    to.append('Set-Cookie', serialize(signedInMarker(service.publicUrl), '1', marker))
  }
}

/** The session's token by the signed cookie alone: the caller's own statement has to check that the session stands. */
export async function findSignedToken({ auth }: AccountService, headers: Headers): Promise<string | null> {
  const { authCookies, secret } = await auth.$context
  const { name } = authCookies.sessionToken
  return (await parseSigned(headers.get('cookie') ?? '', secret, name))[name] || null
}

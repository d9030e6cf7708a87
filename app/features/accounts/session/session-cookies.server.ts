import { createHmac, timingSafeEqual } from 'node:crypto'
import { parseSetCookieHeader } from 'better-auth/cookies'
import { parse, serialize } from 'hono/utils/cookie'
import type { AccountService } from '../account-service.server'
import { sessionSeconds } from './auth.server'
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
    if (session) to.append('Set-Cookie', markerCookie(service, attributes.secure, session['max-age']))
  }
}

/** The cookies of a new session, as better-auth sets and reads them. */
export async function setSessionCookies(
  service: AccountService,
  to: Headers,
  token: string,
  rememberMe: boolean,
): Promise<void> {
  const { authCookies, secret } = await service.auth.$context
  const { sessionToken, dontRememberToken } = authCookies
  const maxAge = rememberMe ? sessionSeconds.remembered : undefined
  const short = rememberMe
    ? serialize(dontRememberToken.name, '', { ...dontRememberToken.attributes, maxAge: 0 })
    : serialize(dontRememberToken.name, signed('true', secret), dontRememberToken.attributes)
  to.append('Set-Cookie', serialize(sessionToken.name, signed(token, secret), { ...sessionToken.attributes, maxAge }))
  to.append('Set-Cookie', short)
  to.append('Set-Cookie', markerCookie(service, sessionToken.attributes.secure, maxAge))
}

function markerCookie({ publicUrl }: AccountService, secure: boolean | undefined, maxAge: number | undefined): string {
  return serialize(signedInMarker(publicUrl), '1', { path: '/', sameSite: 'lax', secure, maxAge })
}

/** The session's token by the signed cookie alone: the caller's own statement has to check that the session stands. */
export async function findSignedToken({ auth }: AccountService, headers: Headers): Promise<string | null> {
  const { authCookies, secret } = await auth.$context
  const { name } = authCookies.sessionToken
  const cookie = parse(headers.get('cookie') ?? '', name)[name] ?? ''
  const token = cookie.slice(0, cookie.lastIndexOf('.'))
  const [given, expected] = [Buffer.from(cookie), Buffer.from(signed(token, secret))]
  return token && given.length === expected.length && timingSafeEqual(given, expected) ? token : null
}

/** Hono and better-auth sign by the Web Crypto API, which takes two turns of another thread for it. */
function signed(value: string, secret: string): string {
  return `${value}.${createHmac('sha256', secret).update(value).digest('base64')}`
}

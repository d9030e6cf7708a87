import { parse, serialize } from 'hono/utils/cookie'
import type { AccountService } from '../account-service.server'
import { findPasswordHash } from '../password/password-queries.server'
import type { RequestContext } from '../session/request-context.server'
import { knownBrowserCookieName, knownBrowserSeconds } from './known-browsers.server'

/**
 * Returns the random name of the request's browser, or null if the browser has not signed in to
 * this account with this password before.
 */
export async function findKnownBrowser(
  { auth, knownBrowsers }: AccountService,
  { headers }: RequestContext,
  uid: string,
  passwordHash: string | null,
): Promise<string | null> {
  const { name } = (await auth.$context).createAuthCookie(knownBrowserCookieName)
  return knownBrowsers.find(readCookie(headers, name), uid, passwordHash)
}

/**
 * Does the same as `findKnownBrowser` for callers that don't have the password's hash. The hash is
 * only read if the browser has the cookie.
 */
export async function findKnownBrowserByAccount(
  service: AccountService,
  requestContext: RequestContext,
  uid: string,
): Promise<string | null> {
  const { name } = (await service.auth.$context).createAuthCookie(knownBrowserCookieName)
  if (!requestContext.headers.get('cookie')?.includes(`${name}=`)) {
    return null
  }

  const passwordHash = await findPasswordHash(service.db, uid)

  return findKnownBrowser(service, requestContext, uid, passwordHash)
}

/** Gives the browser the cookie by which the account knows it from now on. */
export async function recordKnownBrowser(
  { auth, knownBrowsers }: AccountService,
  { headers, responseCookies }: RequestContext,
  uid: string,
  passwordHash: string | null,
): Promise<void> {
  const { name, attributes } = (await auth.$context).createAuthCookie(knownBrowserCookieName, {
    maxAge: knownBrowserSeconds,
  })
  const value = knownBrowsers.remember(readCookie(headers, name), uid, passwordHash)

  responseCookies.append('Set-Cookie', serialize(name, value, attributes))
}

function readCookie(headers: Headers, name: string): string | undefined {
  return parse(headers.get('cookie') ?? '', name)[name]
}

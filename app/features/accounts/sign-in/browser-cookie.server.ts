import { parse, serialize } from 'hono/utils/cookie'
import { findPasswordHash } from '../account-queries.server'
import type { AccountService } from '../account-service.server'
import type { RequestContext } from '../session/session.server'
import { knownBrowserSeconds } from './known-browsers.server'

/**
 * @returns the name of the request's browser if it has signed in to this account with this password
 * before.
 */
export async function findKnownBrowser(
  { auth, knownBrowsers }: AccountService,
  requestContext: RequestContext,
  uid: string,
  hash: string,
): Promise<string | null> {
  const { name } = (await auth.$context).createAuthCookie('known_browser')
  return knownBrowsers.find(
    parse(requestContext.headers.get('cookie') ?? '', name)[name],
    uid,
    hash,
  )
}

/**
 * Like `findKnownBrowser`, but looks up the password's hash. A browser without the cookie costs no
 * query.
 */
export async function findBrowserOf(
  service: AccountService,
  requestContext: RequestContext,
  uid: string,
) {
  const { name } = (await service.auth.$context).createAuthCookie('known_browser')
  if (!requestContext.headers.get('cookie')?.includes(`${name}=`)) {
    return null
  }

  return findKnownBrowser(
    service,
    requestContext,
    uid,
    (await findPasswordHash(service.db, uid)) ?? '',
  )
}

export async function rememberBrowser(
  { auth, knownBrowsers }: AccountService,
  requestContext: RequestContext,
  uid: string,
  hash: string,
): Promise<void> {
  const { name, attributes } = (await auth.$context).createAuthCookie('known_browser', {
    maxAge: knownBrowserSeconds,
  })
  const cookie = knownBrowsers.remember(
    parse(requestContext.headers.get('cookie') ?? '', name)[name],
    uid,
    hash,
  )

  requestContext.cookies.append('Set-Cookie', serialize(name, cookie, attributes))
}

import { parse, serialize } from 'hono/utils/cookie'
import type { AccountService } from '../account-service.server'
import type { Visit } from '../session/visit.server'
import { knownBrowserSeconds } from './known-browsers.server'

/** @returns the name of the visit's browser if it has signed in to this account, by this password, before. */
export async function findKnownBrowser(
  { auth, knownBrowsers }: AccountService,
  visit: Visit,
  uid: string,
  hash: string,
): Promise<string | null> {
  const { name } = (await auth.$context).createAuthCookie('known_browser')
  return knownBrowsers.find(parse(visit.headers.get('cookie') ?? '', name)[name], uid, hash)
}

export async function rememberBrowser(
  { auth, knownBrowsers }: AccountService,
  visit: Visit,
  uid: string,
  hash: string,
): Promise<void> {
  const { name, attributes } = (await auth.$context).createAuthCookie('known_browser', { maxAge: knownBrowserSeconds })
  const cookie = knownBrowsers.remember(parse(visit.headers.get('cookie') ?? '', name)[name], uid, hash)
  visit.cookies.append('Set-Cookie', serialize(name, cookie, attributes))
}

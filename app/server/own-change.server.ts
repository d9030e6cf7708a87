import type { MiddlewareHandler } from 'hono'
import { env } from './env.server'
import { productWatch } from './product-watch.server'
import { readingMethods } from './request-checks.server'

const name = 'learnify-change'
/** Longer than any process takes to hear of a change. */
const seconds = 10
const secure = env.PUBLIC_URL.startsWith('https:') ? '; Secure' : ''

/** Whoever changed what public pages show asks for their next pages with the version of that change, whichever process answers. */
export const rememberOwnChange: MiddlewareHandler = async (context, next) => {
  if (readingMethods.has(context.req.method)) return next()
  const before = productWatch.known
  await next()
  const version = productWatch.known
  if (version === before || version === null) return
  const cookie = `${name}=${version}; Max-Age=${seconds}; Path=/; HttpOnly; SameSite=Lax${secure}`
  context.header('Set-Cookie', cookie, { append: true })
}

/** @param cookie the header of a request. @returns the version that it wants to see at least; 0 for any. */
export function ownChangeOf(cookie: string | null | undefined): number {
  if (!cookie?.includes(name)) return 0
  return Number(/(?:^|;\s*)learnify-change=(\d{1,15})(?:;|$)/.exec(cookie)?.[1] ?? 0)
}

/** The browser of a member of staff remembers the separator of its last download in a cookie. */
import { parse, serialize } from 'hono/utils/cookie'
import { env } from '~/server/env.server'
import { type CsvSeparator, parseCsvSeparator } from './csv-separators'

const cookieName = 'csv_separator'
const maxAgeSeconds = 365 * 24 * 60 * 60

/** Returns the value of a `Set-Cookie` header that stores the separator. */
export function rememberSeparator(separator: CsvSeparator): string {
  return serialize(cookieName, separator, {
    httpOnly: true,
    maxAge: maxAgeSeconds,
    // The path of a cookie is case-sensitive, unlike the routes of the desk.
    path: '/',
    sameSite: 'Lax',
    secure: env.PUBLIC_URL.startsWith('https:'),
  })
}

/** Returns the stored separator, or 'comma' for a browser that has not downloaded a table yet. */
export function findRememberedSeparator(request: Request): CsvSeparator {
  const cookies = parse(request.headers.get('Cookie') ?? '', cookieName)
  return parseCsvSeparator(cookies[cookieName]) ?? 'comma'
}

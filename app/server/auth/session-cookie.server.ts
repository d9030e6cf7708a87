import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * The session token of a request, without asking the database whether the session still stands: for statements that
 * check it themselves, in their one round trip. better-auth writes the cookie as `TOKEN.SIGNATURE`, the signature being
 * the token's HMAC-SHA256 in base64.
 *
 * @returns null without a cookie, and for one that this product did not sign.
 */
export function readSessionToken(cookies: string | null, name: string, secret: string): string | null {
  const entry = cookies?.split('; ').find((cookie) => cookie.startsWith(`${name}=`))
  const [, token, signature] = decode(entry?.slice(name.length + 1) ?? '').match(/^(.+)\.([^.]+)$/) ?? []
  if (!token || !signature) return null
  const expected = createHmac('sha256', secret).update(token).digest()
  const given = Buffer.from(signature, 'base64')
  return given.length === expected.length && timingSafeEqual(given, expected) ? token : null
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}

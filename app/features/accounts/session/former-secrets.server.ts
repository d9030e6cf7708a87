import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

/** As better-auth signs the value of a cookie. */
const sign = (value: string, secret: string) => createHmac('sha256', secret).update(value).digest('base64')

function isSignedBy(secret: string, value: string, signature: string): boolean {
  const [expected, given] = [Buffer.from(sign(value, secret)), Buffer.from(signature)]
  return expected.length === given.length && timingSafeEqual(expected, given)
}

/**
 * A request's cookies, with those that a former secret signed signed by the current one: better-auth reads no others. A
 * browser gets the new cookie when its session is next extended.
 *
 * @param prefix of the names of better-auth's cookies.
 */
export function renewSignatures(cookies: string, prefix: string, secret: string, former: readonly string[]): string {
  return cookies
    .split('; ')
    .map((cookie) => {
      const [name = '', encoded = ''] = cookie.split('=', 2)
      if (!name.startsWith(prefix)) return cookie
      const text = decode(encoded)
      const dot = text.lastIndexOf('.')
      const [value, signature] = [text.slice(0, dot), text.slice(dot + 1)]
      if (dot < 1 || !former.some((one) => isSignedBy(one, value, signature))) return cookie
      return `${name}=${encodeURIComponent(`${value}.${sign(value, secret)}`)}`
    })
    .join('; ')
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}

/**
 * The secrets as better-auth encrypts with them: each has a number of its own, which is stored with what it encrypts. The first
 * one is the current one.
 */
export function versionedSecrets(secrets: readonly string[]) {
  return secrets.map((value) => ({ version: createHash('sha256').update(value).digest().readUInt32BE() >>> 1, value }))
}

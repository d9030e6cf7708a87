import * as z from 'zod'

export const flag = z.stringbool({
  truthy: ['true', '1', 'yes', 'on'],
  falsy: ['false', '0', 'no', 'off'],
  error: 'on or off',
})
const address = (protocols: readonly string[], more = '') =>
  z.url({
    protocol: new RegExp(`^(${protocols.join('|')})$`),
    error: `an address that starts with ${protocols.join(':// or ')}://${more}`,
    abort: true,
  })
export const web = address(['http', 'https'])
export const webOrigin = web.refine(isOrigin, 'an address without a path, like https://school.example')
const encoded = ', with special characters in the name and password encoded, like %40 for @'
/** With a name and a password in it; one that is not encoded moves the host, and a part of the password would be logged as it. */
export const login = (...protocols: string[]) =>
  address(protocols, encoded).refine(hasEncodedLogin, `an address${encoded}`)

export function wholeNumber(min: number, max: number) {
  const error = `a whole number from ${min} to ${max}`
  return z.coerce.number({ error }).int(error).min(min, error).max(max, error)
}

/** A limit that an operator may set. */
export const most = (count: number) => wholeNumber(1, 1_000_000).default(count)
export const text = z.string().min(1)

/** Never shown; may be kept in a file that `NAME_FILE` names. */
export const secret = (description: string) => ({ description, hides: 'all' })
/** The same for an address, of which only the password is hidden. */
export const secretLogin = (description: string) => ({ description, hides: 'password' })

/** Of age, in the place of a public one. */
export const secretKey = /AGE-SECRET-KEY-[\w-]+/i

/** In the alphabet of age; a backup checks their checksums, too. */
export function arePublicKeys(list: string): boolean {
  return list
    .split(/[\s,]+/)
    .every((key) => key === '' || /^age1(?:(?:pq|tag|tagpq)1)?[02-9ac-hj-np-z]{58,}$/.test(key))
}

function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).href === `${new URL(text).origin}/`
}

function hasEncodedLogin(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { hash, search, username, password } = new URL(text)
  return !hash && !search.includes('@') && !/%(?![\da-f]{2})/i.test(username + password)
}

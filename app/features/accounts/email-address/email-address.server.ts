import { domainToASCII, domainToUnicode } from 'node:url'
import { accountLimits } from '../account-rules'
import { findInvisibleCharacter } from '../form/visible-text'

/**
 * Outside of quotes and comments, which no mailbox needs; ':' and ';' would make a group of
 * addresses.
 */
const localPart = /^[^\s@,:;<>()[\]\\"]{1,64}$/
const typedDomain = /^[\p{L}\p{M}\p{N}_.。．｡-]+$/u
const asciiDomain = /^[a-z0-9_-]+(\.[a-z0-9_-]+)+$/
const numbersOnly = /^[\d.]+$/

/**
 * The canonical form of an address, by which accounts are stored and found: without spaces around
 * it, lowercase, accents composed, and the domain in ASCII, so that `ida@bücher.example` and
 * `ida@xn--bcher-kva.example` are one person. Only a mail can prove that the mailbox exists.
 *
 * @returns null for an invalid address, or one with invisible characters.
 */
export function canonicalEmail(typed: string): string | null {
  const address = typed.trim().normalize('NFC').toLowerCase()
  const at = address.lastIndexOf('@')
  const [local, domain] = [address.slice(0, at), address.slice(at + 1)]
  if (
    at < 0 ||
    findInvisibleCharacter(address) ||
    !localPart.test(local) ||
    !typedDomain.test(domain)
  ) {
    return null
  }

  if (local.startsWith('.') || local.endsWith('.') || local.includes('..')) {
    return null
  }

  const ascii = domainToASCII(domain)
  if (!asciiDomain.test(ascii) || numbersOnly.test(ascii)) {
    return null
  }

  const email = `${local}@${ascii}`

  return email.length <= accountLimits.email ? email : null
}

/** For operators: the reason why an address is invalid, or null. */
export function findEmailProblem(typed: string): string | null {
  if (canonicalEmail(typed)) {
    return null
  }

  const invisible = findInvisibleCharacter(typed.trim())

  return invisible
    ? `'${typed}' has an invisible character: ${invisible}.`
    : `'${typed}' doesn’t look like an email address.`
}

/**
 * The canonical form, and the one with the domain's own letters: accounts of former releases are
 * stored by that.
 */
export function storedForms(email: string): [canonical: string, former: string] {
  const canonical = canonicalEmail(email) ?? email
  const at = canonical.lastIndexOf('@')
  return [canonical, `${canonical.slice(0, at + 1)}${domainToUnicode(canonical.slice(at + 1))}`]
}

/**
 * Checks emails, and brings them into the one form by which accounts are stored and found.
 *
 * Only an email that arrives can prove that a mailbox exists.
 */
import { domainToASCII, domainToUnicode } from 'node:url'
import { accountLimits } from '../account-rules'
import { findInvisibleCharacter } from '../form/visible-text'

/**
 * Allows no quotes and no comments, which no mailbox needs. A ':' or ';' would make a group of
 * emails.
 */
const localPartPattern = /^[^\s@,:;<>()[\]\\"]{1,64}$/
const submittedDomainPattern = /^[\p{L}\p{M}\p{N}_.。．｡-]+$/u
const asciiDomainPattern = /^[a-z0-9_-]+(\.[a-z0-9_-]+)+$/
const ipAddressPattern = /^[\d.]+$/

/**
 * Returns the canonical form of an email: without spaces around it, in lower case, with composed
 * accents, and with the domain in ASCII, so that `ida@bücher.example` and
 * `ida@xn--bcher-kva.example` are the same email.
 *
 * @returns null for an invalid email, or one with invisible characters
 */
export function toCanonicalEmail(submittedEmail: string): string | null {
  const trimmedEmail = submittedEmail.trim().normalize('NFC').toLowerCase()
  if (findInvisibleCharacter(trimmedEmail)) {
    return null
  }

  const parts = splitEmail(trimmedEmail)
  if (!parts || !isLocalPartValid(parts.localPart) || !submittedDomainPattern.test(parts.domain)) {
    return null
  }

  const domain = domainToASCII(parts.domain)
  if (!asciiDomainPattern.test(domain) || ipAddressPattern.test(domain)) {
    return null
  }

  const email = `${parts.localPart}@${domain}`

  return email.length <= accountLimits.email ? email : null
}

function splitEmail(email: string): { localPart: string; domain: string } | null {
  const atIndex = email.lastIndexOf('@')
  if (atIndex < 0) {
    return null
  }

  return { localPart: email.slice(0, atIndex), domain: email.slice(atIndex + 1) }
}

function isLocalPartValid(localPart: string): boolean {
  const hasMisplacedDot =
    localPart.startsWith('.') || localPart.endsWith('.') || localPart.includes('..')

  return localPartPattern.test(localPart) && !hasMisplacedDot
}

/** Returns why an email is invalid, as a sentence for an operator, or null. */
export function findEmailProblem(submittedEmail: string): string | null {
  if (toCanonicalEmail(submittedEmail)) {
    return null
  }

  const invisibleCharacter = findInvisibleCharacter(submittedEmail.trim())
  if (invisibleCharacter) {
    return `'${submittedEmail}' has an invisible character: ${invisibleCharacter}.`
  }

  return `'${submittedEmail}' doesn’t look like an email address.`
}

/**
 * Returns the forms in which an email may be stored: the canonical one, and the one with the
 * domain's own letters, in which earlier releases stored it.
 */
export function getStoredForms(email: string): [canonicalEmail: string, legacyEmail: string] {
  const canonicalEmail = toCanonicalEmail(email) ?? email
  const atIndex = canonicalEmail.lastIndexOf('@')
  const domain = domainToUnicode(canonicalEmail.slice(atIndex + 1))

  return [canonicalEmail, `${canonicalEmail.slice(0, atIndex + 1)}${domain}`]
}

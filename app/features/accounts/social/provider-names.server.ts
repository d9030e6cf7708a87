/**
 * Reads a person's name from the claims of a sign-in provider.
 *
 * Providers send names in different forms and languages, and may send anything. The result has only
 * visible words, no email address, and no more characters than a name may have.
 */
import { accountLimits, placeholderName } from '../account-rules'
import { directionControls, hasVisibleCharacter } from '../form/visible-text'
import { containsEmail, type FullName, splitFullName } from '../full-name'

/** OpenID Connect's claims about a name. A provider may leave out each of them. */
export type NameClaims = { name?: unknown; given_name?: unknown; family_name?: unknown }

const unknownName: FullName = { firstName: placeholderName, lastName: '' }

/**
 * Returns the name from a provider's claims: `given_name` and `family_name` if both are known,
 * otherwise the display name, otherwise the one of the two that is known.
 */
export function readName({ name, given_name, family_name }: NameClaims): FullName {
  const givenName = toNameWords(given_name).join(' ')
  const familyName = toNameWords(family_name).join(' ')
  if (givenName && familyName) {
    return { firstName: truncate(givenName), lastName: truncate(familyName) }
  }

  const displayName = toNameWords(name).join(' ')
  return splitDisplayName(displayName || givenName || familyName)
}

/**
 * Splits a display name into first and last name. Without a visible name, the first name is the
 * placeholder and the last name is empty.
 */
export function splitDisplayName(displayName: unknown): FullName {
  const { firstName, lastName } = splitFullName(toNameWords(displayName).join(' '))
  if (firstName === '') {
    return unknownName
  }

  return { firstName: truncate(firstName), lastName: truncate(lastName) }
}

/** Returns the words of a name claim. Invisible words and email addresses are left out. */
function toNameWords(claim: unknown): string[] {
  if (typeof claim !== 'string') {
    return []
  }

  const text = claim.replaceAll('\0', '').replaceAll(directionControls, '')
  const words = text.split(/\s+/)

  return words.filter((word) => hasVisibleCharacter(word) && !containsEmail(word))
}

/** Cuts a name to its maximum length, and drops half a surrogate pair at the end. */
function truncate(name: string): string {
  return name.slice(0, accountLimits.name).replace(/[\uD800-\uDBFF]$/, '')
}

/** Returns whether a name is so long that a sign-in may have truncated it. */
export function isPossiblyTruncated(name: string): boolean {
  return name.length >= accountLimits.name - 1
}

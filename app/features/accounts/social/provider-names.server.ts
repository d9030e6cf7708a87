/**
 * Reads a person's name from the claims of a sign-in provider.
 *
 * Providers send names in different forms and languages, and may send anything. The result has only
 * visible words, no email address, and no more characters than a name may have.
 */
import { accountLimits, placeholderName } from '../account-rules'
import { directionControls, hasVisibleCharacter, hasVisibleLetter } from '../form/visible-text'

/** OpenID Connect's claims about a name. A provider may leave out each of them. */
export type NameClaims = { name?: unknown; given_name?: unknown; family_name?: unknown }

type PersonName = { firstName: string; lastName: string }

const unknownName: PersonName = { firstName: placeholderName, lastName: '' }

/**
 * Returns the name from a provider's claims: `given_name` and `family_name` if both are known,
 * otherwise the display name, otherwise the one of the two that is known.
 */
export function readName({ name, given_name, family_name }: NameClaims): PersonName {
  const givenName = toNameWords(given_name).join(' ')
  const familyName = toNameWords(family_name).join(' ')
  if (givenName && familyName) {
    return { firstName: truncate(givenName), lastName: truncate(familyName) }
  }

  const displayName = toNameWords(name).join(' ')
  return splitDisplayName(displayName || givenName || familyName)
}

/** Matches "Lovelace, Ada", but not a title after the name, as in "Ada Lovelace, PhD". */
const familyNameFirstPattern = /^([^,]+),(?! ?(?:jr|sr|ii|iii|iv|ph\.? ?d|m\.?d)\.?$) ?([^,]+)$/i

/**
 * Splits a display name at its first space, or "Last, First" at its comma. Without a visible name,
 * the first name is the placeholder and the last name is empty.
 */
export function splitDisplayName(displayName: unknown): PersonName {
  const words = toNameWords(displayName)
  const [, familyName, givenName] = familyNameFirstPattern.exec(words.join(' ')) ?? []
  if (familyName && givenName && [familyName, givenName].every(hasVisibleLetter)) {
    return { firstName: truncate(givenName), lastName: truncate(familyName) }
  }

  const [firstWord, ...otherWords] = words
  if (firstWord === undefined) {
    return unknownName
  }

  return { firstName: truncate(firstWord), lastName: truncate(otherWords.join(' ')) }
}

const emailPattern = /[^\s@]@[^\s@]/

/** Returns the words of a name claim. Invisible words and email addresses are left out. */
function toNameWords(claim: unknown): string[] {
  if (typeof claim !== 'string') {
    return []
  }

  const text = claim.replaceAll('\0', '').replaceAll(directionControls, '')
  const words = text.split(/\s+/)

  return words.filter((word) => hasVisibleCharacter(word) && !emailPattern.test(word))
}

/** Cuts a name to its maximum length, and drops half a surrogate pair at the end. */
function truncate(name: string): string {
  return name.slice(0, accountLimits.name).replace(/[\uD800-\uDBFF]$/, '')
}

/** Returns whether a name is so long that a sign-in may have truncated it. */
export function isPossiblyTruncated(name: string): boolean {
  return name.length >= accountLimits.name - 1
}

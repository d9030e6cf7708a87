import { placeholderName } from './account-rules'
import { hasVisibleLetter } from './form/visible-text'

export type FullName = { firstName: string; lastName: string }

/** A title after the name, such as 'PhD' or 'Jr.' */
const title = String.raw`(?:jr|sr|ii|iii|iv|ph\.? ?d|m\.?d|mba|m\.?sc|b\.?sc|esq)\.?`

/** Matches 'Lovelace, Ada' and 'Lovelace, Ada, PhD', but not 'Ada Lovelace, PhD'. */
const lastNameFirst = new RegExp(`^([^,]+),(?! ?${title}(?:,|$)) ?([^,]+)(, ?${title})?$`, 'i')

/**
 * Splits 'Last, First' at its comma, and any other name at its first space. A single word is the first
 * name.
 *
 * @param name has single spaces between its words
 */
export function splitFullName(name: string): FullName {
  const [, last = '', first = '', titleAtEnd = ''] = lastNameFirst.exec(name) ?? []
  if (hasVisibleLetter(last) && hasVisibleLetter(first)) {
    return { firstName: first, lastName: `${last}${titleAtEnd}` }
  }

  const [firstName = '', ...otherWords] = name.split(' ')
  return { firstName, lastName: otherWords.join(' ') }
}

/** The syntax is valid in JavaScript and PostgreSQL. */
export const emailPattern = /[^\s@]@[^\s@]/

/** Returns whether a text contains an email address, which is never part of a name. */
export function containsEmail(text: string): boolean {
  return emailPattern.test(text)
}

/**
 * Returns whether an account's name is neither the placeholder nor an email address, which earlier
 * releases stored for accounts from single sign-on and imports.
 */
export function isRealName(name: string): boolean {
  return name !== placeholderName && !containsEmail(name)
}

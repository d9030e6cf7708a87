import { placeholderName } from './account-rules'
import { hasVisibleLetter } from './form/visible-text'

export type FullName = { firstName: string; lastName: string }

/**
 * Splits 'Last, First' at its comma, and any other name at its first space. A single word is the
 * first name.
 *
 * @param name has single spaces between its words
 */
export function splitFullName(name: string): FullName {
  const lastNameFirst = splitLastNameFirst(name)
  if (lastNameFirst !== null) {
    return lastNameFirst
  }

  const [firstName = '', ...otherWords] = name.split(' ')
  return { firstName, lastName: otherWords.join(' ') }
}

/**
 * Splits 'Lovelace, Ada', 'Lovelace, Ada, PhD' and 'Smith, Jr., John'. The titles stay with the
 * last name.
 *
 * @returns null for any other name, such as 'Ada Lovelace, PhD' and 'Jane Doe, RN'
 */
function splitLastNameFirst(name: string): FullName | null {
  const [last = '', ...parts] = name.split(',').map((part) => part.trim())
  // In 'GARCÍA MÁRQUEZ, JOSÉ', capitals do not tell a title from a first name.
  const hasLowerCase = last !== last.toUpperCase()
  const mayBeFullName = last.includes(' ') && hasLowerCase
  if (mayBeFullName && parts.every(isTitle)) {
    return null
  }

  const first = parts.find((part) => !isKnownTitle(part))
  const titles = parts.filter((part) => part !== first)
  if (first === undefined || !titles.every(isTitle)) {
    return null
  }

  if (!hasVisibleLetter(last) || !hasVisibleLetter(first)) {
    return null
  }

  return { firstName: first, lastName: [last, ...titles].join(', ') }
}

function isTitle(text: string): boolean {
  return isKnownTitle(text) || isShortWordInCapitals(text)
}

function isKnownTitle(text: string): boolean {
  return /^(?:jr|sr|ii|iii|iv|ph\.? ?d|m\.?d|mba|m\.?sc|b\.?sc|esq)\.?$/i.test(text)
}

/** Returns whether a text may be a title such as 'RN', 'CPA' or 'R.N.' */
function isShortWordInCapitals(text: string): boolean {
  return /^(?:\p{Lu}\.?){2,5}$/u.test(text)
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

/** The person who chooses the password, as far as the form knows them. */
export type Person = { firstName?: string; lastName?: string; email?: string }

const passwordAdvice = {
  common:
    'This is one of the most common passwords, which attackers try first. Please choose another one.',
  name: 'This is a name with little added, which is easy to guess. Please choose another one.',
} as const

type Weakness = keyof typeof passwordAdvice

/**
 * Returns what makes a password easy to guess, or null.
 *
 * @param commonPasswords in lower case
 */
export function findWeakness(
  password: string,
  person: Person,
  commonPasswords: ReadonlySet<string>,
): Weakness | null {
  // Passwords are hashed in this form, so other forms of the same letters are no stronger.
  const lowerCasePassword = password.normalize('NFKC').toLowerCase()
  if (commonPasswords.has(lowerCasePassword)) {
    return 'common'
  }

  return listGuessableNames(person).has(keepLetters(lowerCasePassword)) ? 'name' : null
}

/** Shorter names are ignored, because they may be a part of a good password. */
const minNameLength = 3

/**
 * Returns the names that an attacker tries: the product's, the person's first and last name in each
 * order, and the part of the email before the `@`.
 */
function listGuessableNames({ firstName = '', lastName = '', email = '' }: Person): Set<string> {
  const first = keepLetters(firstName)
  const last = keepLetters(lastName)
  const localPart = keepLetters(email.split('@')[0] ?? '')
  const names = ['learnify', first, last, first + last, last + first, localPart]

  return new Set(names.filter((name) => name.length >= minNameLength))
}

/** Removes everything except letters. Many people add only digits, spaces or signs to a name. */
function keepLetters(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}]/gu, '')
}

/** The list of common passwords, one per line. */
const commonPasswordsUrl = '/CommonPasswords'

let commonPasswords: Promise<ReadonlySet<string>> | undefined

/**
 * Returns advice about a new password in the browser, or null. The list is loaded when the first
 * new password is entered, so no password leaves the browser to be compared.
 */
export async function getPasswordAdvice(password: string, person: Person): Promise<string | null> {
  commonPasswords ??= fetchCommonPasswords()
  const weakness = findWeakness(password, person, await commonPasswords)
  return weakness && passwordAdvice[weakness]
}

async function fetchCommonPasswords(): Promise<ReadonlySet<string>> {
  try {
    const response = await fetch(commonPasswordsUrl)
    if (!response.ok) {
      throw new Error(String(response.status))
    }

    const lines = (await response.text()).split('\n')
    return new Set(lines)
  } catch (error) {
    // The next character that is entered tries again.
    commonPasswords = undefined
    throw error
  }
}

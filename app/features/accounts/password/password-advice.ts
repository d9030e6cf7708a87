/** Whose password it is; what isn't known is left out. */
export type Person = { firstName?: string; lastName?: string; email?: string }

export const passwordAdvice = {
  common:
    'This is one of the most common passwords, which attackers try first. Please choose another one.',
  name: 'This is a name with little added, which is easy to guess. Please choose another one.',
} as const

/** A shorter name is a part of many good passwords. */
const shortestName = 3

/** @param common in lower case. @returns what makes a password easy to guess, if anything. */
export function weaknessOf(
  password: string,
  person: Person,
  common: ReadonlySet<string>,
): keyof typeof passwordAdvice | null {
  // As it is hashed, so that other forms of the same letters help no one.
  const lower = password.normalize('NFKC').toLowerCase()
  if (common.has(lower)) {
    return 'common'
  }

  return namesOf(person).has(lettersOf(lower)) ? 'name' : null
}

/**
 * The product's, and the person's first and last name in each order, and the name in front of the
 * address.
 */
function namesOf({ firstName = '', lastName = '', email = '' }: Person): Set<string> {
  const [first, last] = [lettersOf(firstName), lettersOf(lastName)]
  const names = [
    'learnify',
    first,
    last,
    first + last,
    last + first,
    lettersOf(email.split('@')[0] ?? ''),
  ]

  return new Set(names.filter((name) => name.length >= shortestName))
}

/** Without digits, spaces and signs, which are all that many people add. */
function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}]/gu, '')
}

/** Where the list of common passwords is, one a line. */
const listAddress = '/CommonPasswords'
let list: Promise<ReadonlySet<string>> | undefined

/**
 * In the browser. The list is loaded once, when the first new password is typed, so that no
 * password leaves the browser to be compared.
 */
export async function adviseOn(password: string, person: Person): Promise<string | null> {
  list ??= loadList()
  const weakness = weaknessOf(password, person, await list)
  return weakness && passwordAdvice[weakness]
}

async function loadList(): Promise<ReadonlySet<string>> {
  try {
    const answer = await fetch(listAddress)
    if (!answer.ok) {
      throw new Error(String(answer.status))
    }

    return new Set((await answer.text()).split('\n'))
  } catch (error) {
    // The next character tries again.
    list = undefined
    throw error
  }
}

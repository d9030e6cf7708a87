import { expect, it } from 'vitest'
import { containsEmail, splitFullName } from './full-name'

it.each([
  ['Ada Lovelace', 'Ada', 'Lovelace'],
  ['Ada King Lovelace', 'Ada', 'King Lovelace'],
  ['Gabriel José García Márquez', 'Gabriel', 'José García Márquez'],
  ['Cher', 'Cher', ''],
  ['', '', ''],
  ['Lovelace, Ada', 'Ada', 'Lovelace'],
  ['Lovelace,Ada King', 'Ada King', 'Lovelace'],
  ['García Márquez, Gabriel José', 'Gabriel José', 'García Márquez'],
  ['Ada Lovelace, PhD', 'Ada', 'Lovelace, PhD'],
  ['Ada Lovelace, MBA, Ph.D.', 'Ada', 'Lovelace, MBA, Ph.D.'],
  ['Lovelace, Ada, PhD', 'Ada', 'Lovelace, PhD'],
  ['Martin King, Jr.', 'Martin', 'King, Jr.'],
  ['Jane Doe, RN', 'Jane', 'Doe, RN'],
  ['Jane Doe, CPA', 'Jane', 'Doe, CPA'],
  ['Jane Doe, R.N.', 'Jane', 'Doe, R.N.'],
  ['Jane Doe, RN, CPA', 'Jane', 'Doe, RN, CPA'],
  ['Jane Doe, RN, PhD', 'Jane', 'Doe, RN, PhD'],
  ['Doe, RN', 'RN', 'Doe'],
  ['Doe, Jane, RN', 'Jane', 'Doe, RN'],
  ['DOE, JANE', 'JANE', 'DOE'],
  ['GARCÍA MÁRQUEZ, GABRIEL', 'GABRIEL', 'GARCÍA MÁRQUEZ'],
  ['GARCÍA MÁRQUEZ, JOSÉ', 'JOSÉ', 'GARCÍA MÁRQUEZ'],
  ['van Rossum, Guido', 'Guido', 'van Rossum'],
  ['van Rossum, G.', 'G.', 'van Rossum'],
  ['Smith, Jr., John', 'John', 'Smith, Jr.'],
  ['Smith, Jr., John, PhD', 'John', 'Smith, Jr., PhD'],
  ['Smith, John, Jr.', 'John', 'Smith, Jr.'],
  ['Ada,', 'Ada,', ''],
  ['Lovelace, \u3164', 'Lovelace,', '\u3164'],
])('splits %j', (name, firstName, lastName) => {
  expect(splitFullName(name)).toEqual({ firstName, lastName })
})

it.each(['ada@acme.example', 'ada@localhost', 'Ada Lovelace <ada@acme.example>'])(
  'finds the email address in %j',
  (text) => {
    expect(containsEmail(text)).toBe(true)
  },
)

it.each(['Ada Lovelace', '@ada', 'Ada @ home'])('finds no email address in %j', (text) => {
  expect(containsEmail(text)).toBe(false)
})

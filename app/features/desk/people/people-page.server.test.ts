import { beforeAll, expect, it } from 'vitest'
import { users } from '~/server/database/schema'
import { createTestDatabase } from '../../../../tests/support/test-database'
import type { DeskRequest } from '../desk-request.server'
import { loadPeoplePage } from './people-page.server'

const { db } = await createTestDatabase()

const names = [
  'Ada Lovelace',
  'Jürgen Müller',
  'Flannery O’Connor',
  'Conan O´Brien',
  'Edna O`Faolain',
  'Seán O`Casey',
  'Søren Strauß',
  'Mette Kjær',
  'Þóra Guðmundsson',
  'Cœur Đặng',
  'Νίκος',
  'Max_ 100%',
]

beforeAll(async () => {
  await db.delete(users)
  await db.insert(users).values(
    names.map((name, index) => ({
      id: `person-${index}`,
      name,
      firstName: name,
      email: `person${index}@learn.example`,
    })),
  )
})

async function findNames(text: string) {
  const search = new URLSearchParams({ text })
  const { rows } = await loadPeoplePage({ db, search } as DeskRequest)
  return rows.map(({ name }) => name)
}

it.each([
  ['Lovelace, Ada', 'Ada Lovelace'],
  ['Lovelace Ada', 'Ada Lovelace'],
  ['ada  lovelace', 'Ada Lovelace'],
  ['\u200bAda\u00a0Love', 'Ada Lovelace'],
  ['ada PERSON0@learn.example', 'Ada Lovelace'],
  ['person-0', 'Ada Lovelace'],
  ['Muller', 'Jürgen Müller'],
  ['müller', 'Jürgen Müller'],
  ['Mu\u0308ller', 'Jürgen Müller'],
  ["O'Connor", 'Flannery O’Connor'],
  ['O’Connor', 'Flannery O’Connor'],
  ["O'Brien", 'Conan O´Brien'],
  ['O´Brien', 'Conan O´Brien'],
  ['O`Brien', 'Conan O´Brien'],
  ["O'Faolain", 'Edna O`Faolain'],
  ["O'Casey", 'Seán O`Casey'],
  ['O´Connor', 'Flannery O’Connor'],
  ['Soren Strauss', 'Søren Strauß'],
  ['Kjaer', 'Mette Kjær'],
  ['KJÆR', 'Mette Kjær'],
  ['Thora Gudmundsson', 'Þóra Guðmundsson'],
  ['Coeur Dang', 'Cœur Đặng'],
  ['ΝΙΚΟΣ', 'Νίκος'],
  ['x_', 'Max_ 100%'],
  ['0%', 'Max_ 100%'],
])('finds by %j only %s', async (text, name) => {
  expect(await findNames(text)).toEqual([name])
})

it('finds nobody by a word that is in no name', async () => {
  expect(await findNames('Ada Miller')).toEqual([])
})

it('finds an email address whose domain is typed in its own letters', async () => {
  await db.insert(users).values({
    id: 'ida',
    name: 'Ida',
    firstName: 'Ida',
    email: 'ida@xn--bcher-kva.example',
  })
  for (const text of ['ida@bücher.example', 'IDA@BU\u0308CHER.example', 'ida@xn--bcher-kva']) {
    expect(await findNames(text)).toEqual(['Ida'])
  }

  expect(await findNames('ida@buecher.example')).toEqual([])
})

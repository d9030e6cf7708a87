import { sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { createTestDatabase } from '../../../tests/support/test-database'
import { isRealName } from './full-name'
import { isRealNameInDatabase } from './full-name.server'

const { db } = await createTestDatabase()

it.each([
  ['Ada Lovelace', true],
  ['Björk', true],
  ['Ada @ home', true],
  ['User', false],
  ['ada@acme.example', false],
  ['Ada Lovelace <ada@acme.example>', false],
])('%j is a real name: %s', async (name, expected) => {
  const isReal = isRealNameInDatabase(sql`${name}::text`)
  const { rows } = await db.execute(sql`select ${isReal} as "isReal"`)

  expect(isRealName(name)).toBe(expected)
  expect(rows).toEqual([{ isReal: expected }])
})

import { sql } from 'drizzle-orm'
import { beforeAll, expect, it } from 'vitest'
import { createTestDatabase } from '../../../tests/support/test-database'
import type { Database } from './client.server'
import { categories, searchSynonyms, testimonials } from './schema'
import { upsertRows } from './upsert-rows.server'

let db: Database
beforeAll(async () => {
  db = (await createTestDatabase()).db
  for (const table of [searchSynonyms, categories, testimonials]) {
    await db.delete(table)
  }
})

const entry = (position: number, name: string) => ({
  position,
  name,
  rating: 5,
  text: 'x',
  role: 'y',
})
const versions = async () => {
  const { rows } = await db.execute<{ name: string; version: string }>(
    sql`select name, xmin::text as version from ${testimonials} order by position`,
  )
  return rows
}

it('stores quotes and lists unchanged, and null for missing values', async () => {
  const phrases = ['a "quoted", {braced} \\ phrase', 'it’s', 'Größe 🙂']
  await upsertRows(db, searchSynonyms, [{ position: 0, phrases }])
  expect(await db.select().from(searchSynonyms)).toEqual([{ position: 0, phrases }])

  const card = { position: 0, id: null, name: 'Music', card: null, courses: '4', icon: 'music' }
  await upsertRows(db, categories, [card, { ...card, position: 1, catalogue: 'design' }])
  expect(await db.select().from(categories)).toEqual([
    { ...card, catalogue: null },
    { ...card, position: 1, catalogue: 'design' },
  ])
})

it('writes only rows that are new or have changed', async () => {
  await upsertRows(db, testimonials, [entry(0, 'Ada'), entry(1, 'Ben')])
  const before = await versions()
  await upsertRows(db, testimonials, [entry(0, 'Ada'), entry(1, 'Bob'), entry(2, 'Cem')])
  const after = await versions()

  expect(after.map(({ name }) => name)).toEqual(['Ada', 'Bob', 'Cem'])
  expect(after[0]).toEqual(before[0])
  expect(after[1]?.version).not.toBe(before[1]?.version)
})

it('stores more rows than fit into one statement', async () => {
  const text = 'x'.repeat(1000)
  await upsertRows(
    db,
    testimonials,
    Array.from({ length: 5_000 }, (_, position) => ({ ...entry(position, 'Many'), text })),
  )

  expect(await db.$count(testimonials)).toBe(5_000)

  await upsertRows(db, testimonials, [])
  expect(await db.$count(testimonials)).toBe(5_000)
})

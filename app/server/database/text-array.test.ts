import { sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { testDatabase } from '../../../tests/support/test-database'
import { courses } from './schema'

it.each([
  [[]],
  [['']],
  [['plain', 'NULL', 'null', 'two words']],
  [['"quoted"', '{braced}', 'a, b', '\\', 'C:\\new', '\\\\"', '\\frac{1}{2}', 'two\nlines', 'Größe 🙂', ' ']],
])('a list of texts comes back as it was stored: %j', async (texts) => {
  const { db } = await testDatabase()
  await db.update(courses).set({ skills: texts })
  const [course] = await db.select({ skills: courses.skills }).from(courses).limit(1)
  expect(course?.skills).toEqual(texts)
  const [row] = await db.execute(sql`select ${sql.param(texts)}::text[] || array[null] as texts`)
  expect(row?.texts).toEqual([...texts, null])
})

import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '~/server/database/client.server'
import { categories } from '~/server/database/schema'
import { testDatabase } from '../../../tests/support/test-database'
import { getHome } from './home-queries.server'

let db: Database

beforeAll(async () => {
  db = (await testDatabase()).db
})

describe('the home page from the database', () => {
  test('the eight categories come in the order of their file, with their counts', async () => {
    const { categories } = await getHome(db)
    expect(categories.map(({ name, courses }) => `${name} ${courses}`)).toEqual([
      'Programming 120+',
      'Design 85+',
      'Business 95+',
      'Marketing 65+',
      'Science 75+',
      'Music 40+',
      'Health & Fitness 55+',
      'Photography 35+',
    ])
  })

  test('there are eight testimonials, each with a rating of one to five', async () => {
    const { testimonials } = await getHome(db)
    expect(testimonials).toHaveLength(8)
    for (const { rating } of testimonials) expect([1, 2, 3, 4, 5]).toContain(rating)
  })

  test('an icon that nobody knows becomes a book', async () => {
    await db.update(categories).set({ icon: 'no-such-icon' }).where(eq(categories.name, 'Music'))
    await db.update(categories).set({ icon: 'book-open' }).where(eq(categories.name, 'Science'))
    const home = await getHome(db)
    const iconOf = (name: string) => home.categories.find((category) => category.name === name)?.icon
    expect(iconOf('Music')).toEqual(iconOf('Science'))
    expect(iconOf('Music')).toMatch(/^<svg .*<path /)
  })
})

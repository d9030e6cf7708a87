import { and, eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '~/server/database/client.server'
import { categories, certificateRegister, courseLessons } from '~/server/database/schema'
import { createTestDatabase } from '../../../tests/support/test-database'
import { getHome, listSchoolNumbers } from './home-queries.server'

let db: Database

beforeAll(async () => {
  db = (await createTestDatabase()).db
})

describe('the home page from the database', () => {
  test('the eight categories come in the order of their file, with their counts', async () => {
    const { categories } = await getHome(db)
    expect(categories.map(({ name, courses }) => `${name}: ${courses}`)).toEqual([
      'Programming: 120+ courses',
      'Design: 85+ courses',
      'Business: 95+ courses',
      'Marketing: 65+ courses',
      'Science: 75+ courses',
      'Music: 40+ courses',
      'Health & Fitness: 55+ courses',
      'Photography: 35+ courses',
    ])
  })

  test('a card without a number says how many courses there are, and a category without a card has none', async () => {
    await db
      .transaction(async (transaction) => {
        await transaction
          .update(categories)
          .set({ courses: null })
          .where(eq(categories.id, 'design'))
        await transaction
          .update(categories)
          .set({ card: null })
          .where(eq(categories.id, 'business'))
        const { categories: cards } = await getHome(transaction as unknown as Database)
        expect(cards.find(({ name }) => name === 'Design')?.courses).toBe('3 courses')
        expect(cards.map(({ name }) => name)).not.toContain('Business')
        transaction.rollback()
      })
      .catch((error) => expect(String(error)).toContain('Rollback'))
  })

  test('there are eight testimonials, each with a rating of one to five', async () => {
    const { testimonials } = await getHome(db)
    expect(testimonials).toHaveLength(8)

    for (const { rating } of testimonials) {
      expect([1, 2, 3, 4, 5]).toContain(rating)
    }
  })

  test('an unknown icon becomes a book', async () => {
    await db.update(categories).set({ icon: 'no-such-icon' }).where(eq(categories.name, 'Music'))
    await db.update(categories).set({ icon: 'book-open' }).where(eq(categories.name, 'Science'))

    const home = await getHome(db)
    const getIcon = (name: string) =>
      home.categories.find((category) => category.name === name)?.icon

    expect(getIcon('Music')).toEqual(getIcon('Science'))
    expect(getIcon('Music')).toMatch(/^<svg .*<path /)
  })

  test('real numbers count no demo account and no revoked certificate', async () => {
    async function countCertificates() {
      const numbers = await listSchoolNumbers(db)
      return Number(numbers.find(([, label]) => label.startsWith('certificate'))?.[0] ?? 0)
    }
    const registerCertificate = (id: string, statusIndex: number, revokedAt: Date | null) =>
      db.insert(certificateRegister).values({
        id,
        courseId: 'python-from-zero',
        courseTitle: 'Python from Zero',
        lessons: 8,
        materialSeconds: 1_200,
        examScore: 9,
        examMaxScore: 10,
        issuedAt: new Date(),
        statusListNumber: 1,
        statusIndex,
        revokedAt,
      })

    const countBefore = await countCertificates()
    await registerCertificate('valid', 1, null)
    await registerCertificate('revoked', 2, new Date())

    expect(await countCertificates()).toBe(countBefore + 1)
  })

  test('the school’s number of lessons has neither planned lessons nor retired ones', async () => {
    async function countLessons() {
      const numbers = await listSchoolNumbers(db)
      return Number(numbers.find(([, label]) => label === 'lessons')?.[0])
    }

    const lessons = await db
      .select()
      .from(courseLessons)
      .where(and(eq(courseLessons.courseId, 'python-from-zero'), eq(courseLessons.kind, 'article')))
    const [first, second] = lessons
    if (!first || !second) {
      throw new Error('The course needs two articles.')
    }

    const countBefore = await countLessons()
    await db.update(courseLessons).set({ kind: 'announced' }).where(isLesson(first))
    await db.update(courseLessons).set({ retired: true }).where(isLesson(second))

    expect(await countLessons()).toBe(countBefore - 2)
  })
})

function isLesson({ courseId, id }: { courseId: string; id: string }) {
  return and(eq(courseLessons.courseId, courseId), eq(courseLessons.id, id))
}

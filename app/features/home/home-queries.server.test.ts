import { and, eq } from 'drizzle-orm'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { demoUid } from '~/features/accounts/account-queries.server'
import type { Database } from '~/server/database/client.server'
import {
  categories,
  certificateRegister,
  certificates,
  courseLessons,
  users,
} from '~/server/database/schema'
import { refreshSite } from '~/server/site/site.server'
import { insertLearner } from '../../../tests/support/sample-orders'
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

  test('a category without a card is left out', async () => {
    await db.update(categories).set({ card: null }).where(eq(categories.id, 'business'))

    const home = await getHome(db)
    expect(home.categories.map(({ name }) => name)).not.toContain('Business')

    await db.update(categories).set({ card: 'Business' }).where(eq(categories.id, 'business'))
  })

  describe('the counts on the category cards', () => {
    const schoolCards = {
      part: 'categoryCards',
      value: {
        en: {
          title: 'Openings',
          text: 'Pick one.',
          cards: [
            { name: 'Design', category: 'design', icon: 'palette' },
            { name: 'Everything', category: null, icon: 'book-open' },
          ],
        },
      },
    }

    afterEach(() => setSite([]))

    async function listCounts(): Promise<Record<string, string | null>> {
      const { categories } = await getHome(db)
      return Object.fromEntries(categories.map(({ name, courses }) => [name, courses]))
    }

    test('are all samples beside the sample numbers', async () => {
      await db.update(categories).set({ courses: null }).where(eq(categories.id, 'design'))
      expect(await listCounts()).toMatchObject({ Design: null, Music: '40+ courses' })
      await db.update(categories).set({ courses: '85+' }).where(eq(categories.id, 'design'))

      await setSite([schoolCards])
      expect(await listCounts()).toEqual({ Design: null, Everything: null })
    })

    test.each(['real', 'off'])(
      'are all real if an owner chooses the numbers %j',
      async (numbers) => {
        const home = { part: 'home', value: { numbers, testimonials: 'own' } }
        await setSite([home])
        const contentCounts = Object.values(await listCounts())
        expect(contentCounts).toHaveLength(8)
        for (const count of contentCounts) {
          expect(count).toMatch(/^\d+ courses?$/)
        }

        await setSite([home, schoolCards])
        expect(await listCounts()).toEqual({ Design: '3 courses', Everything: '12 courses' })
      },
    )
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

  test('real numbers count neither the demo account nor its certificates', async () => {
    const numbersBefore = await getRealNumbers()

    await db
      .insert(users)
      .values({ id: demoUid, email: 'demo@test.example', name: 'Demo', firstName: 'Demo' })
    await registerCertificate({ id: 'of-the-demo-account' })
    await db.insert(certificates).values({
      uid: demoUid,
      courseId: 'python-from-zero',
      id: 'of-the-demo-account',
      learnerName: 'Demo',
    })

    expect(await getRealNumbers()).toEqual(numbersBefore)

    await insertLearner(db)

    expect((await getRealNumbers()).learners).toBe(numbersBefore.learners + 1)
  })

  test('real numbers count no revoked certificate', async () => {
    const { certificates: countBefore } = await getRealNumbers()
    await registerCertificate({ id: 'valid' })
    await registerCertificate({ id: 'revoked', revokedAt: new Date() })

    expect((await getRealNumbers()).certificates).toBe(countBefore + 1)
  })

  test('the school’s number of lessons has neither planned lessons nor retired ones', async () => {
    const lessons = await db
      .select()
      .from(courseLessons)
      .where(and(eq(courseLessons.courseId, 'python-from-zero'), eq(courseLessons.kind, 'article')))
    const [first, second] = lessons
    if (!first || !second) {
      throw new Error('The course needs two articles.')
    }

    const { lessons: countBefore } = await getRealNumbers()
    await db.update(courseLessons).set({ kind: 'announced' }).where(isLesson(first))
    await db.update(courseLessons).set({ retired: true }).where(isLesson(second))

    expect((await getRealNumbers()).lessons).toBe(countBefore - 2)
  })
})

function isLesson({ courseId, id }: { courseId: string; id: string }) {
  return and(eq(courseLessons.courseId, courseId), eq(courseLessons.id, id))
}

/** Lets the site have these values, as if an owner had stored them at the desk. */
function setSite(rows: { part: string; value: object }[]): Promise<unknown> {
  return refreshSite({ execute: async () => ({ rows }) } as never)
}

async function getRealNumbers() {
  const numbers = await listSchoolNumbers(db)
  const getNumber = (singular: string) =>
    Number(numbers.find(([, label]) => label === singular || label === `${singular}s`)?.[0] ?? 0)

  return {
    learners: getNumber('learner'),
    lessons: getNumber('lesson'),
    certificates: getNumber('certificate'),
  }
}

let certificateCount = 0

async function registerCertificate(values: { id: string; revokedAt?: Date }): Promise<void> {
  certificateCount++
  await db.insert(certificateRegister).values({
    courseId: 'python-from-zero',
    courseTitle: 'Python from Zero',
    lessons: 8,
    materialSeconds: 1_200,
    examScore: 9,
    examMaxScore: 10,
    issuedAt: new Date(),
    statusListNumber: 1,
    statusIndex: certificateCount,
    ...values,
  })
}

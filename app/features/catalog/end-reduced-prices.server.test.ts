import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { eq, sql } from 'drizzle-orm'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { contentHooks } from '~/content-hooks.server'
import { loadContent } from '~/features/courses/content/content-loader.server'
import type { Database } from '~/server/database/client.server'
import {
  contentHistory,
  courseSearch,
  courses,
  priceHistory,
  productState,
} from '~/server/database/schema'
import { env } from '~/server/env.server'
import { createTestDatabase } from '../../../tests/support/test-database'
import { findCourseDetail } from './course-page/course-queries.server'
import { endReducedPrices } from './end-reduced-prices.server'
import { createCourseJsonLd } from './sharing/structured-course'

// Before the settings are read.
vi.hoisted(() => {
  process.env.SHOW_LOWEST_PRICE = 'on'
})

const slug = 'python-from-zero'
let db: Database
let folder: string

beforeAll(async () => {
  db = (await createTestDatabase()).db
  folder = await mkdtemp(path.join(tmpdir(), 'learnify-prices-'))
  await cp(env.CONTENT_DIR, folder, { recursive: true })
})
afterAll(() => rm(folder, { recursive: true, force: true }))
beforeEach(() => db.delete(priceHistory))

/** Loads the course with these lines about its price. @returns what is wrong with it. */
async function loadPrice(...lines: string[]): Promise<string[]> {
  const file = path.join(folder, 'courses', slug, 'course.yaml')
  const text = await readFile(file, 'utf8')
  const others = text.split('\n').filter((line) => !/^(original)?price/i.test(line))
  await writeFile(file, [...others, ...lines, ''].join('\n'))
  await db.delete(contentHistory)

  return (await loadContent(db, folder, contentHooks)).problems
}

/** Looks as if everything had happened so many days earlier. */
const daysPass = (days: number) =>
  db.execute(
    sql`update price_history set at = at - make_interval(days => ${days}) where course_id = ${slug}`,
  )

const shown = async () => {
  const course = await findCourseDetail(db, slug)
  return course && [course.price, course.originalPrice, course.lowestPrice]
}
const percentShown = async () => (await findCourseDetail(db, slug))?.percentOff

it('each price that is loaded is remembered once, with its currency', async () => {
  await loadPrice('price: 80')
  await loadPrice('price: 80', 'originalPrice: 100')
  await loadPrice('price: 60')
  const rows = await db
    .select()
    .from(priceHistory)
    .where(eq(priceHistory.courseId, slug))
    .orderBy(priceHistory.at)

  expect(rows.map(({ priceMinor, currency }) => [priceMinor, currency])).toEqual([
    [8_000, 'USD'],
    // It is a reduced one now.
    [8_000, 'USD'],
    [6_000, 'USD'],
  ])
})

it('a reduced price has the lowest one of the 30 days before it beside it', async () => {
  await loadPrice('price: 50')
  await daysPass(20)
  await loadPrice('price: 100')
  expect(await shown()).toEqual(['$100', '$100', null])
  expect(await percentShown()).toBe(0)

  await daysPass(15)
  await loadPrice('price: 70', 'originalPrice: 100')
  expect(await shown()).toEqual(['$70', '$100', '$50'])
  // The sale costs more than the lowest price, so no percentage is shown.
  expect(await percentShown()).toBe(0)

  // It is that of the 30 days before the reduction, however long the reduction lasts.
  await daysPass(100)
  expect(await shown()).toEqual(['$70', '$100', '$50'])
})

it('the percentage of a reduction counts from the lowest price, and from the original one while none is known', async () => {
  await loadPrice('price: 70', 'originalPrice: 100')
  expect([await shown(), await percentShown()]).toEqual([['$70', '$100', null], 30])

  await db.delete(priceHistory)
  await loadPrice('price: 80')
  await daysPass(10)
  await loadPrice('price: 60', 'originalPrice: 100')
  expect([await shown(), await percentShown()]).toEqual([['$60', '$100', '$80'], 25])
})

it('a price that ended more than 30 days before the reduction does not count', async () => {
  await loadPrice('price: 50')
  await daysPass(20)
  await loadPrice('price: 100')
  await daysPass(31)
  await loadPrice('price: 70', 'originalPrice: 100')

  expect(await shown()).toEqual(['$70', '$100', '$100'])
})

it('a price that has a higher one beside it from now on is reduced from now on', async () => {
  await loadPrice('price: 50')
  await daysPass(20)
  await loadPrice('price: 89')
  await daysPass(80)
  await loadPrice('price: 89', 'originalPrice: 150')

  expect(await shown()).toEqual(['$89', '$150', '$89'])
})

it('a course that was reduced from the start has no lowest price to name', async () => {
  await loadPrice('price: 70', 'originalPrice: 100')
  expect(await shown()).toEqual(['$70', '$100', null])
})

it('the lowest price is never above one that held on any of the 30 days', async () => {
  const change = fc.record({
    price: fc.integer({ min: 1, max: 500 }),
    days: fc.integer({ min: 0, max: 40 }),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 6 }), async (changes) => {
      await db.delete(priceHistory)
      await db
        .update(courses)
        .set({ priceMinor: 1, originalPriceMinor: 100_000 })
        .where(eq(courses.id, slug))
      // The last price began now; each of the others lasted so many days and an hour.
      let hoursAgo = 0
      const rows = changes.toReversed().map(({ price, days }, index) => {
        if (index > 0) {
          hoursAgo += days * 24 + 1
        }

        return { price, began: hoursAgo }
      })

      for (const { price, began } of rows) {
        await db.execute(sql`insert into price_history values
          (${slug}, timestamptz '2026-11-26' - make_interval(hours => ${began}), ${price}, 'USD')`)
      }

      const held = rows.flatMap(({ price }, index) => {
        const ended = rows[index - 1]?.began
        return ended !== undefined && ended < 30 * 24 ? [price] : []
      })
      const course = await findCourseDetail(db, slug)
      const lowest = course?.lowestPrice
        ? Math.round(Number(course.lowestPrice.slice(1)) * 100)
        : null
      expect(lowest).toBe(held.length > 0 ? Math.min(...held) : null)
    }),
    { numRuns: 25, seed: 31 },
  )
})

it('after its last day a reduced price ends by itself, on every page, in the search and for search engines', async () => {
  await loadPrice('price: 70', 'originalPrice: 100', 'priceUntil: 2099-12-24')
  const offerOf = async () => {
    const course = await findCourseDetail(db, slug)
    if (!course) {
      throw new Error('There is no such course.')
    }

    const { offers } = createCourseJsonLd(course, {
      pageUrl: 'https://learn.example/',
      imageUrl: '',
    })

    return [offers.price, offers.priceValidUntil]
  }
  const searched = async () =>
    (await db.select().from(courseSearch).where(eq(courseSearch.courseId, slug)))[0]
  await endReducedPrices(db, new Date('2099-12-25T11:59:59Z'))
  expect([await offerOf(), (await searched())?.priceMinor]).toEqual([
    ['70.00', '2099-12-24'],
    7_000,
  ])

  const [before] = await db.select().from(productState)
  await endReducedPrices(db, new Date('2099-12-25T12:00:00Z'))
  expect([await offerOf(), (await searched())?.priceMinor]).toEqual([['100.00', undefined], 10_000])
  expect((await db.select().from(productState))[0]).not.toEqual(before)

  const [last] = await db.select().from(priceHistory).orderBy(sql`at desc`).limit(1)
  expect(last?.priceMinor).toBe(10_000)
})

it('a reduction that is over when its course is loaded has no effect', async () => {
  await loadPrice('price: 70', 'originalPrice: 100', 'priceUntil: 2026-01-31')
  expect(await shown()).toEqual(['$100', '$100', null])
})

it('an end without a reduction is a mistake', async () => {
  const problems = await loadPrice('price: 70', 'priceUntil: 2026-12-24')
  expect(problems.join()).toContain('`priceUntil` is for a reduced price')
})

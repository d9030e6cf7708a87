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

// Vitest runs this before the imports, which read the settings.
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

/** Loads the course with these lines about its price, and returns the problems of its content. */
async function loadPrice(...priceLines: string[]): Promise<string[]> {
  const file = path.join(folder, 'courses', slug, 'course.yaml')
  const text = await readFile(file, 'utf8')
  const otherLines = text.split('\n').filter((line) => !/^(original)?price/i.test(line))
  await writeFile(file, [...otherLines, ...priceLines, ''].join('\n'))
  await db.delete(contentHistory)

  return (await loadContent(db, folder, contentHooks)).problems
}

/** Dates the price history back, as if so many days had passed. */
const letDaysPass = (days: number) =>
  db.execute(
    sql`update price_history set at = at - make_interval(days => ${days}) where course_id = ${slug}`,
  )

/** Returns the price, the original price and the lowest price that the course page shows. */
async function readDisplayedPrices() {
  const course = await findCourseDetail(db, slug)
  return course && [course.price, course.originalPrice, course.lowestPrice]
}

async function readDisplayedPercent() {
  const course = await findCourseDetail(db, slug)
  return course?.percentOff
}

it('each price that is loaded is recorded once, with its currency', async () => {
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
    // The same price is recorded again as a reduced price.
    [8_000, 'USD'],
    [6_000, 'USD'],
  ])
})

it('a reduced price is shown with the lowest price of the 30 days before the reduction', async () => {
  await loadPrice('price: 50')
  await letDaysPass(20)
  await loadPrice('price: 100')
  expect(await readDisplayedPrices()).toEqual(['$100', '$100', null])
  expect(await readDisplayedPercent()).toBe(0)

  await letDaysPass(15)
  await loadPrice('price: 70', 'originalPrice: 100')
  expect(await readDisplayedPrices()).toEqual(['$70', '$100', '$50'])
  // The sale costs more than the lowest price, so no percentage is shown.
  expect(await readDisplayedPercent()).toBe(0)

  // The lowest price stays the same, however long the reduction lasts.
  await letDaysPass(100)
  expect(await readDisplayedPrices()).toEqual(['$70', '$100', '$50'])
})

it('the percentage of a reduction refers to the lowest price, or to the original price if there is no lowest price', async () => {
  await loadPrice('price: 70', 'originalPrice: 100')
  expect([await readDisplayedPrices(), await readDisplayedPercent()]).toEqual([
    ['$70', '$100', null],
    30,
  ])

  await db.delete(priceHistory)
  await loadPrice('price: 80')
  await letDaysPass(10)
  await loadPrice('price: 60', 'originalPrice: 100')
  expect([await readDisplayedPrices(), await readDisplayedPercent()]).toEqual([
    ['$60', '$100', '$80'],
    25,
  ])
})

it('a price that ended more than 30 days before the reduction does not count', async () => {
  await loadPrice('price: 50')
  await letDaysPass(20)
  await loadPrice('price: 100')
  await letDaysPass(31)
  await loadPrice('price: 70', 'originalPrice: 100')

  expect(await readDisplayedPrices()).toEqual(['$70', '$100', '$100'])
})

it('a price that gets a higher original price is reduced from then on', async () => {
  await loadPrice('price: 50')
  await letDaysPass(20)
  await loadPrice('price: 89')
  await letDaysPass(80)
  await loadPrice('price: 89', 'originalPrice: 150')

  expect(await readDisplayedPrices()).toEqual(['$89', '$150', '$89'])
})

it('a course that was reduced from the start has no lowest price', async () => {
  await loadPrice('price: 70', 'originalPrice: 100')
  expect(await readDisplayedPrices()).toEqual(['$70', '$100', null])
})

it('the lowest price is the minimum of all prices that were valid in the 30 days before the reduction', async () => {
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
      // The newest price begins now. Each of the older prices lasted for its days and one hour.
      let beginHoursAgo = 0
      const newestFirst = changes.toReversed().map(({ price, days }, index) => {
        if (index > 0) {
          beginHoursAgo += days * 24 + 1
        }

        return { price, beginHoursAgo }
      })

      for (const row of newestFirst) {
        await db.execute(sql`insert into price_history values
          (${slug}, timestamptz '2026-11-26' - make_interval(hours => ${row.beginHoursAgo}), ${row.price}, 'USD')`)
      }

      const validPrices = newestFirst.flatMap(({ price }, index) => {
        const endHoursAgo = newestFirst[index - 1]?.beginHoursAgo
        return endHoursAgo !== undefined && endHoursAgo < 30 * 24 ? [price] : []
      })
      const course = await findCourseDetail(db, slug)
      const lowestMinor = course?.lowestPrice
        ? Math.round(Number(course.lowestPrice.slice(1)) * 100)
        : null
      expect(lowestMinor).toBe(validPrices.length > 0 ? Math.min(...validPrices) : null)
    }),
    { numRuns: 25, seed: 31 },
  )
})

it('a reduced price ends automatically after its last day, in the search and for search engines', async () => {
  await loadPrice('price: 70', 'originalPrice: 100', 'priceUntil: 2099-12-24')
  const readOffer = async () => {
    const course = await findCourseDetail(db, slug)
    if (!course) {
      throw new Error('The course does not exist.')
    }

    const { offers } = createCourseJsonLd(course, {
      pageUrl: 'https://learn.example/',
      imageUrl: '',
    })

    return [offers.price, offers.priceValidUntil]
  }
  const readSearchPrice = async () => {
    const [row] = await db.select().from(courseSearch).where(eq(courseSearch.courseId, slug))
    return row?.priceMinor
  }

  await endReducedPrices(db, new Date('2099-12-25T11:59:59Z'))
  expect(await readOffer()).toEqual(['70.00', '2099-12-24'])
  expect(await readSearchPrice()).toBe(7_000)

  const [stateBefore] = await db.select().from(productState)
  await endReducedPrices(db, new Date('2099-12-25T12:00:00Z'))
  expect(await readOffer()).toEqual(['100.00', undefined])
  expect(await readSearchPrice()).toBe(10_000)

  const [stateAfter] = await db.select().from(productState)
  expect(stateAfter).not.toEqual(stateBefore)

  const [last] = await db.select().from(priceHistory).orderBy(sql`at desc`).limit(1)
  expect(last?.priceMinor).toBe(10_000)
})

it('a reduction that is over when its course is loaded has no effect', async () => {
  await loadPrice('price: 70', 'originalPrice: 100', 'priceUntil: 2026-01-31')
  expect(await readDisplayedPrices()).toEqual(['$100', '$100', null])
})

it('an end without a reduction is a mistake', async () => {
  const problems = await loadPrice('price: 70', 'priceUntil: 2026-12-24')
  expect(problems.join()).toContain('`priceUntil` is for a reduced price')
})

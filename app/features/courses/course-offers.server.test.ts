import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import type { Database } from '~/server/database/client.server'
import { courseOffers, courses, priceHistory } from '~/server/database/schema'
import { createTestDatabase } from '../../../tests/support/test-database'
import {
  applyFileOffers,
  changeOffer,
  type OfferChange,
  type OfferPrice,
} from './course-offers.server'
import { selectLowestPriorPrice } from './prices.server'

const courseId = 'python-from-zero'
const today = '2026-11-26'
const now = new Date(`${today}T12:00:00Z`)
let db: Database

beforeAll(async () => {
  db = (await createTestDatabase()).db
})
beforeEach(() => db.delete(courseOffers))

type FileOffer = { published: boolean; price: OfferPrice }

/** Stores what a course's file says, as loading the content does. */
async function storeFile({ published, price }: FileOffer): Promise<void> {
  await db.transaction(async (transaction) => {
    const { priceMinor, priceUntil } = toPriceInEffect(price)
    await transaction
      .update(courses)
      .set({
        published,
        priceMinor,
        originalPriceMinor: price.originalPriceMinor,
        priceUntil,
      })
      .where(eq(courses.id, courseId))
    await applyFileOffers(transaction, [courseId], now)
  })
}

function changeAtDesk(change: OfferChange, changedAt = now) {
  return db.transaction((transaction) => changeOffer(transaction, courseId, change, changedAt))
}

async function findOfferInEffect(): Promise<FileOffer> {
  const [course] = await db.select().from(courses).where(eq(courses.id, courseId))
  if (!course) {
    throw new Error('The course is missing.')
  }

  return {
    published: course.published,
    price: {
      priceMinor: course.priceMinor,
      originalPriceMinor: course.originalPriceMinor,
      priceUntil: course.priceUntil,
    },
  }
}

/** After its last day, a reduced price is the full price. */
function toPriceInEffect(price: OfferPrice): OfferPrice {
  const isOver = price.priceUntil !== null && price.priceUntil < today
  return isOver ? { ...price, priceMinor: price.originalPriceMinor, priceUntil: null } : price
}

function fullPrice(priceMinor: number): OfferPrice {
  return { priceMinor, originalPriceMinor: priceMinor, priceUntil: null }
}

const anyPrice: fc.Arbitrary<OfferPrice> = fc
  .record({
    priceMinor: fc.integer({ min: 0, max: 9_000 }),
    reductionMinor: fc.integer({ min: 0, max: 3_000 }),
    lastDay: fc.constantFrom(null, '2026-11-20', today, '2027-01-01'),
  })
  .map(({ priceMinor, reductionMinor, lastDay }) => ({
    priceMinor,
    originalPriceMinor: priceMinor + reductionMinor,
    priceUntil: reductionMinor > 0 ? lastDay : null,
  }))

const anyStep = fc.oneof(
  fc.record({
    place: fc.constant('file' as const),
    offer: fc.record({ published: fc.boolean(), price: anyPrice }),
  }),
  fc.record({
    place: fc.constant('desk' as const),
    change: fc.oneof(
      fc.record({ published: fc.constantFrom(true, false, 'follow-file' as const) }),
      fc.record({ price: fc.oneof(anyPrice, fc.constant('follow-file' as const)) }),
    ),
  }),
)

it('the desk overrides the file, separately for publishing and price, until it returns to the file', async () => {
  await fc.assert(
    fc.asyncProperty(anyPrice, fc.array(anyStep, { maxLength: 12 }), async (firstPrice, steps) => {
      await db.delete(courseOffers)
      let file: FileOffer = { published: true, price: firstPrice }
      let desk: Required<OfferChange> = { published: 'follow-file', price: 'follow-file' }
      await storeFile(file)

      for (const step of steps) {
        if (step.place === 'file') {
          file = step.offer
          await storeFile(file)
        } else {
          desk = { ...desk, ...step.change }
          await changeAtDesk(step.change)
        }

        expect(await findOfferInEffect()).toEqual({
          published: desk.published === 'follow-file' ? file.published : desk.published,
          price: toPriceInEffect(desk.price === 'follow-file' ? file.price : desk.price),
        })
      }

      const hasOverride = desk.published !== 'follow-file' || desk.price !== 'follow-file'
      expect(await db.$count(courseOffers)).toBe(hasOverride ? 1 : 0)
    }),
    { numRuns: 30 },
  )
})

it('a desk price in another currency than the site’s is not in effect', async () => {
  const file = { published: true, price: fullPrice(4_900) }
  await storeFile(file)
  await changeAtDesk({ price: fullPrice(9_900) })

  await db.update(courseOffers).set({ currency: 'JPY' })
  await storeFile(file)

  expect(await findOfferInEffect()).toEqual(file)
})

it('the price history has every price, and so the lowest price of 30 days is known', async () => {
  await db.delete(priceHistory)
  await storeFile({ published: true, price: fullPrice(8_000) })
  await changeAtDesk({ price: fullPrice(7_000) }, new Date('2026-11-01T12:00:00Z'))
  await changeAtDesk({ price: fullPrice(9_000) }, new Date('2026-11-10T12:00:00Z'))

  const reducedPrice = { priceMinor: 6_000, originalPriceMinor: 9_000, priceUntil: null }
  await changeAtDesk({ price: reducedPrice }, new Date('2026-11-20T12:00:00Z'))

  const [course] = await db
    .select({ lowestPrice: selectLowestPriorPrice() })
    .from(courses)
    .where(eq(courses.id, courseId))

  expect(course?.lowestPrice).toBe(7_000)
})

it('the offer of a course without a folder cannot be changed', async () => {
  const result = await db.transaction((transaction) =>
    changeOffer(transaction, 'flying', { published: true }, now),
  )

  expect(result).toEqual({ ok: false, problem: expect.stringContaining('No course has the ID') })
})

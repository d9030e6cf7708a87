import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import type { Database } from '~/server/database/client.server'
import { courseOffers, courses, priceHistory } from '~/server/database/schema'
import { createTestDatabase } from '../../../tests/support/test-database'
import { applyFileOffers, changeOffer } from './course-offers.server'
import { selectLowestPriorPrice } from './prices.server'

const id = 'python-from-zero'
const now = new Date('2026-11-26T12:00:00Z')
let db: Database

beforeAll(async () => {
  ;({ db } = await createTestDatabase())
})

type Price = { priceMinor: number; originalPriceMinor: number; priceUntil: string | null }
type Says = { published: boolean } & Price

/** Stores a course's file as loading the content does. */
const load = ({ published, ...price }: Says) =>
  db.transaction(async (transaction) => {
    const [, priceCents, originalPriceCents, priceUntil] = expected(published, price)
    const row = {
      published,
      priceCents,
      originalPriceCents,
      priceUntil,
    } as typeof courses.$inferInsert

    await transaction.update(courses).set(row).where(eq(courses.id, id))
    await applyFileOffers(transaction, [id], now)
  })

const holds = async () => {
  const [row] = await db.select().from(courses).where(eq(courses.id, id))
  return [row?.published, row?.priceCents, row?.originalPriceCents, row?.priceUntil]
}

/** After its last day, a reduced price is the full price. */
function expected(published: boolean, { priceMinor, originalPriceMinor, priceUntil }: Price) {
  const isOver = priceUntil !== null && priceUntil < '2026-11-26'
  return [
    published,
    isOver ? originalPriceMinor : priceMinor,
    originalPriceMinor,
    isOver ? null : priceUntil,
  ]
}

const price: fc.Arbitrary<Price> = fc
  .record({
    price: fc.integer({ min: 0, max: 9_000 }),
    more: fc.integer({ min: 0, max: 3_000 }),
    until: fc.constantFrom(null, '2026-11-20', '2026-11-26', '2027-01-01'),
  })
  .map(({ price, more, until }) => ({
    priceMinor: price,
    originalPriceMinor: price + more,
    priceUntil: more > 0 ? until : null,
  }))

const step = fc.oneof(
  fc.record({ kind: fc.constant('file' as const), published: fc.boolean(), price }),
  fc.record({ kind: fc.constant('publish' as const), published: fc.option(fc.boolean()) }),
  fc.record({ kind: fc.constant('price' as const), price: fc.option(price) }),
)

it('what the desk says holds over the file, each by itself, until it is taken back', async () => {
  await fc.assert(
    fc.asyncProperty(price, fc.array(step, { maxLength: 12 }), async (first, steps) => {
      await db.delete(courseOffers)
      let file = { published: true, price: first }
      let desk: { published: boolean | null; price: Price | null } = {
        published: null,
        price: null,
      }
      await load({ published: file.published, ...file.price })
      for (const each of steps) {
        if (each.kind === 'file') {
          file = each
          await load({ published: file.published, ...file.price })
        } else {
          const { kind: _, ...change } = each
          desk = { ...desk, ...change }
          await db.transaction((transaction) => changeOffer(transaction, id, change, now))
        }

        expect(await holds()).toEqual(
          expected(desk.published ?? file.published, desk.price ?? file.price),
        )
      }

      const says = desk.published !== null || desk.price !== null
      expect(await db.$count(courseOffers)).toBe(says ? 1 : 0)
    }),
    { numRuns: 60 },
  )
})

it('a price in another currency does not hold', async () => {
  await db.delete(courseOffers)
  await load({ published: true, priceMinor: 4_900, originalPriceMinor: 4_900, priceUntil: null })
  const dear = { priceMinor: 9_900, originalPriceMinor: 9_900, priceUntil: null }
  await db.transaction((transaction) => changeOffer(transaction, id, { price: dear }, now))
  await db.update(courseOffers).set({ currency: 'JPY' })
  await load({ published: true, priceMinor: 4_900, originalPriceMinor: 4_900, priceUntil: null })
  expect(await holds()).toEqual([true, 4_900, 4_900, null])
})

it('each price is in the history, so that the lowest of 30 days is right', async () => {
  await db.delete(courseOffers)
  await db.delete(priceHistory)
  await load({ published: true, priceMinor: 8_000, originalPriceMinor: 8_000, priceUntil: null })
  const at = (day: string, priceMinor: number, originalPriceMinor: number) =>
    db.transaction((transaction) =>
      changeOffer(
        transaction,
        id,
        { price: { priceMinor, originalPriceMinor, priceUntil: null } },
        new Date(`${day}T12:00:00Z`),
      ),
    )

  await at('2026-11-01', 7_000, 7_000)
  await at('2026-11-10', 9_000, 9_000)
  await at('2026-11-20', 6_000, 9_000)
  const [row] = await db
    .select({ lowest: selectLowestPriorPrice() })
    .from(courses)
    .where(eq(courses.id, id))
  expect(row?.lowest).toBe(7_000)
})

it('a course without a folder is refused', async () => {
  await expect(
    db.transaction((transaction) => changeOffer(transaction, 'flying', { published: true }, now)),
  ).rejects.toThrow('No course has the ID')
})

import { type SQL, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { coupons, orders } from '~/server/database/schema'
import { createTestDatabase } from '../../../tests/support/test-database'
import { loadCouponsPage } from './coupons/coupons-page.server'
import type { DeskRequest } from './desk-request.server'
import { loadOrdersPage } from './orders/orders-page.server'
import { containsEveryWord } from './text-search.server'

const { db } = await createTestDatabase()

beforeAll(async () => {
  await db.insert(orders).values({
    id: 'CAFEORDER',
    courseId: 'python-from-zero',
    courseTitle: 'Cooking in the Café: “L’Élan”',
    listMinor: 8900,
    totalMinor: 8900,
    currency: 'USD',
    buyer: { name: 'Ada', email: 'ada@learn.example' },
  })
  await db.insert(coupons).values({ code: 'FETE20', name: 'Fête – été 2026', percent: 20 })
})

const createRequest = (text: string) =>
  ({ db, search: new URLSearchParams({ text }), now: new Date() }) as DeskRequest

describe('a search at the desk', () => {
  it.each(['cafe', 'CAFÉ', 'Cafe\u0301', '"l\'elan"', 'café, cooking', 'cafeorder', 'L’ÉLAN'])(
    'finds the order of a course by %j',
    async (text) => {
      const { rows } = await loadOrdersPage(createRequest(text))
      expect(rows.map(({ id }) => id)).toEqual(['CAFEORDER'])
    },
  )

  it.each(['fete', 'FÊTE', 'ete 2026', '2026, fête', 'fete20'])(
    'finds a coupon by %j',
    async (text) => {
      const { rows } = await loadCouponsPage(createRequest(text))
      expect(rows.map(({ name }) => name)).toEqual(['Fête – été 2026'])
    },
  )

  it('finds nothing by a word that is not there, and everything by a comma alone', async () => {
    expect((await loadOrdersPage(createRequest('cafe tea'))).rows).toEqual([])
    expect((await loadOrdersPage(createRequest(','))).rows).toHaveLength(1)
  })

  it.each([
    ['users', sql`email || ' ' || name`],
    ['orders', sql`course_title`],
  ])('of the table %s uses its index', async (table, text) => {
    expect(await explain(table, containsEveryWord(text, 'Müller, Ada'))).toContain(
      `Bitmap Index Scan on ${table}_text`,
    )
  })
})

/** Returns the plan for a large table. A small one is read from its beginning to its end. */
function explain(table: string, condition: SQL): Promise<string> {
  return db.transaction(async (transaction) => {
    await transaction.execute(sql`set local enable_seqscan = off`)
    const { rows } = await transaction.execute<{ 'QUERY PLAN': string }>(
      sql`explain select from ${sql.identifier(table)} where ${condition}`,
    )

    return rows.map((row) => row['QUERY PLAN']).join('\n')
  })
}

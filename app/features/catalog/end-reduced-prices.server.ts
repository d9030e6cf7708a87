import { sql } from 'drizzle-orm'
import { renewPublicPages } from '~/server/cache/shared-state.server'
import { lastDayAt, recordPrices } from '~/server/content/prices.server'
import type { Database } from '~/server/database/client.server'
import { writeCourseSearch } from './search/search-index.server'

/** Lets the full price hold again where the last day of a reduced one is over, everywhere. */
export async function endReducedPrices(db: Database, now: Date): Promise<void> {
  const isOver = sql`price_until < ${lastDayAt(now)}`
  const { rows } = await db.execute<{ any: boolean }>(
    sql`select exists (select from courses where ${isOver}) as any`,
  )
  if (!rows[0]?.any) {
    return
  }

  await db.transaction(async (transaction) => {
    const { rows: ended } = await transaction.execute<{ id: string }>(sql`
      update courses set price_cents = original_price_cents, price_until = null where ${isOver} returning id`)
    const ids = ended.map(({ id }) => id)
    await recordPrices(transaction, ids, now)
    await writeCourseSearch(transaction, ids)
    await renewPublicPages(transaction)
  })
}

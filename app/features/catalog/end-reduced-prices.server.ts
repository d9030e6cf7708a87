import { sql } from 'drizzle-orm'
import { endSales, recordPrices } from '~/features/courses/prices.server'
import { renewPublicPages } from '~/server/cache/shared-state.server'
import type { Database } from '~/server/database/client.server'
import { writeCourseSearch } from './search/search-index.server'

/** Ends the sales whose last day is over, and brings search and public pages up to date. */
export async function endReducedPrices(db: Database, now: Date): Promise<void> {
  // Most runs end no sale. They should not open a transaction that writes.
  const { rows: courseOnSale } = await db.execute(
    sql`select from courses where price_until is not null limit 1`,
  )
  if (courseOnSale.length === 0) {
    return
  }

  await db.transaction(async (tx) => {
    const courseIds = await endSales(tx, now)
    if (courseIds.length === 0) {
      return
    }

    await recordPrices(tx, courseIds, now)
    await writeCourseSearch(tx, courseIds)
    await renewPublicPages(tx)
  })
}

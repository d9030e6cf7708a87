import { sql } from 'drizzle-orm'
import { sellsCourses } from '~/features/enrollment/course-access.server'
import { getCurrencyDecimals } from '~/features/school/money'
import { recordPrices } from '~/server/content/prices.server'
import type { Transaction } from '~/server/database/client.server'
import { StartError } from '~/server/env.server'
import { byCount } from '~/ui/format-count'

/**
 * Prices keep their numbers: 49 dollars become 49 euros. Orders keep their currency. If the new
 * currency has another number of decimal places, each process reloads the content within a second,
 * which also records the prices. That is too long for a wrong price while courses are sold.
 *
 * @throws {StartError} if the prices aren't possible in this currency.
 */
export async function changePricesTo(
  transaction: Transaction,
  former: string,
  currency: string,
  now: Date,
): Promise<void> {
  const lost = getCurrencyDecimals(former) - getCurrencyDecimals(currency)
  if (lost !== 0 && sellsCourses) {
    throw new StartError(
      `${currency} and ${former} have different decimal places, so the courses have to be loaded again, which isn’t possible while courses are sold. Have the operator set CURRENCY=${currency} and restart Learnify.`,
    )
  }

  if (lost === 0) {
    await transaction.execute(
      sql`update course_offers set currency = ${currency} where currency = ${former}`,
    )
    const { rows: courses } = await transaction.execute<{ id: string }>(sql`select id from courses`)
    const ids = courses.map(({ id }) => id)
    await recordPrices(transaction, ids, now, currency)

    return
  }

  const unit = 10 ** Math.max(0, lost)
  const { rows } = await transaction.execute<{ count: number }>(sql`
    select count(*)::int as count from courses where price_cents % ${unit}::int <> 0 or original_price_cents % ${unit}::int <> 0`)
  const count = rows[0]?.count ?? 0
  if (count > 0) {
    throw new StartError(
      byCount(
        count,
        `1 course has a price with more decimal places than ${currency} has. Change it first.`,
        `${count} courses have prices with more decimal places than ${currency} has. Change them first.`,
      ),
    )
  }
}

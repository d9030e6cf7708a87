import { sql } from 'drizzle-orm'
import { updatePriceRanges } from '~/features/catalog/search/search-index.server'
import { compareDecimalPlaces, findLastLoad } from '~/features/courses/content/last-load.server'
import { recordPrices } from '~/features/courses/prices.server'
import { sellsCourses } from '~/features/enrollment/course-access.server'
import { getCurrencyDecimals } from '~/features/school/money'
import type { Statements, Transaction } from '~/server/database/client.server'
import { failure, type Result, success } from '~/server/result'
import {
  areSalesPaused,
  listOverridingSettings,
  refreshSite,
  siteCurrency,
} from '~/server/site/site.server'
import { byCount } from '~/ui/format-count'
import type { DeskChangeRequest } from '../desk-form.server'

/**
 * Gives all courses prices in another currency, or fails if their prices aren't possible in that
 * currency.
 *
 * Prices keep their numbers: 49 dollars become 49 euros. Once there is an order, the currency can't
 * be changed, so that figures and coupons never mix currencies. If the new currency has another
 * number of decimal places, each process reloads the content within a second, which also records
 * the prices. Nobody may buy a course at a wrong price during this second, so an owner has to pause
 * sales first.
 *
 * The caller has called `lockCurrencyAndPayments`.
 */
export async function changeCurrencyOfPrices(
  transaction: Transaction,
  { previousCurrency, currency }: { previousCurrency: string; currency: string },
  now: Date,
): Promise<Result> {
  if (await hasOrder(transaction)) {
    return failure(currencyLockedReason)
  }

  const lostDecimals = getCurrencyDecimals(previousCurrency) - getCurrencyDecimals(currency)
  if (lostDecimals === 0) {
    await relabelPrices(transaction, { previousCurrency, currency }, now)
    return success()
  }

  if (sellsCourses() && !areSalesPaused()) {
    return failure(describeSaleProblem({ previousCurrency, currency }))
  }

  const smallestPrice = 10 ** Math.max(0, lostDecimals)
  const count = await countCoursesWithFinerPrices(transaction, smallestPrice)
  if (count > 0) {
    return failure(
      byCount(
        count,
        `1 course has a price with more decimal places than ${currency} has. Change it first.`,
        `${count} courses have prices with more decimal places than ${currency} has. Change them first.`,
      ),
    )
  }

  return success()
}

/** Tells an owner how to change the currency although courses are sold. */
function describeSaleProblem({
  previousCurrency,
  currency,
}: {
  previousCurrency: string
  currency: string
}): string {
  const reason = `${currency} and ${previousCurrency} have different decimal places, so all prices are read again, which isn’t possible while courses are sold.`
  const [paymentSetting] = listOverridingSettings('payments')
  if (paymentSetting) {
    return `${reason} The operator has set ${paymentSetting}, so have them set CURRENCY=${currency}, too, and restart Learnify.`
  }

  return `${reason} Under Payments, pause sales and save. Then save the currency, and turn the payments on again.`
}

/**
 * Lets changes of the currency and of the payments run one after the other, in all processes. Each
 * depends on the other's value, which another process may have stored within the last second. The
 * values are read outside the transaction, because its own changes may still be rolled back.
 */
export async function lockCurrencyAndPayments({
  db,
  transaction,
}: Pick<DeskChangeRequest, 'db' | 'transaction'>): Promise<void> {
  await transaction.execute(
    sql`select pg_advisory_xact_lock(hashtextextended('currency and payments', 0))`,
  )
  await refreshSite(db)
}

/**
 * Returns whether courses still have prices with other decimal places than the site's currency.
 * That is the case for some seconds after a change of the currency, and as long as a course file
 * with a problem keeps the prices from being read.
 */
export async function hasPricesWithOtherDecimalPlaces(transaction: Transaction): Promise<boolean> {
  const lastLoad = await findLastLoad(transaction)
  const decimalPlaces = getCurrencyDecimals(siteCurrency())
  return lastLoad !== null && compareDecimalPlaces(lastLoad, decimalPlaces) === 'different'
}

export const currencyLockedReason = 'There is an order, so the currency can’t be changed any more.'

/**
 * Returns whether somebody has ordered a course. From then on, the currency stays as it is, and
 * courses with a price don't become free by turning payments off.
 */
export async function hasOrder(db: Pick<Statements, 'execute'>): Promise<boolean> {
  const { rows } = await db.execute<{ hasOrder: boolean }>(sql`
    select exists (select from orders) as "hasOrder"`)

  return rows[0]?.hasOrder ?? false
}

/**
 * Keeps the numbers of all prices, records the prices in the price history, and assigns them to the
 * ranges of the price filter.
 */
async function relabelPrices(
  transaction: Transaction,
  { previousCurrency, currency }: { previousCurrency: string; currency: string },
  now: Date,
): Promise<void> {
  await transaction.execute(sql`
    update course_offers
    set currency = ${currency}
    where currency = ${previousCurrency}`)

  const { rows: courses } = await transaction.execute<{ id: string }>(sql`select id from courses`)
  const courseIds = courses.map(({ id }) => id)
  await recordPrices(transaction, courseIds, now, currency)
  await updatePriceRanges(transaction, currency)
}

/**
 * @param smallestPrice the smallest price in the new currency, in minor units of the previous one
 */
async function countCoursesWithFinerPrices(
  transaction: Transaction,
  smallestPrice: number,
): Promise<number> {
  const { rows } = await transaction.execute<{ count: number }>(sql`
    select count(*)::int as count
    from courses
    where price_cents % ${smallestPrice}::int <> 0
      or original_price_cents % ${smallestPrice}::int <> 0`)

  return rows[0]?.count ?? 0
}

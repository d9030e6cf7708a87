/** Columns of a course that pages show in another form than the database stores. */
import { type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { formatPrice } from '~/features/school/money'
import { categories } from '~/server/database/schema/index'
import { siteCurrency } from '~/server/site/site.server'

/** The name of the category, or its ID if the content has no such category. */
export const categoryName = sql<string>`coalesce(
  (select k.name from ${categories} k where k.id = courses.category),
  courses.category
)`

/** Returns a column with a price in the site's currency, such as '$49'. */
export function formattedPrice(priceColumn: PgColumn): SQL<string> {
  return sql<string>`${priceColumn}`.mapWith((priceMinor) =>
    formatPrice(Number(priceMinor), siteCurrency()),
  )
}

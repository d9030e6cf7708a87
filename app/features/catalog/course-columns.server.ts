import { type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { formatPrice } from '~/features/school/money'
import { categories } from '~/server/database/schema/index'
import { siteCurrency } from '~/server/site/site.server'

/** Columns of a course that are shown otherwise than they are stored. */

/** The category's name; its id while the content has no such category. */
export const categoryName = sql<string>`coalesce((select k.name from ${categories} k where k.id = courses.category), courses.category)`

/** A price in the site's currency, like '$49'. */
export function formattedPrice(minorUnits: PgColumn): SQL<string> {
  return sql<string>`${minorUnits}`.mapWith((stored) => formatPrice(Number(stored), siteCurrency()))
}

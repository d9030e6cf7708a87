import { type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { priceText } from '~/server/content/currency.server'

/** Columns of a course that are shown otherwise than they are stored. */

/** A price in the site's currency, like '$49'. */
export function shownPrice(minorUnits: PgColumn): SQL<string> {
  return sql<string>`${minorUnits}`.mapWith((stored) => priceText(Number(stored)))
}

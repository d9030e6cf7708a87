import { sql } from 'drizzle-orm'
import { check, index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { instant } from './instant'

/** A code that lowers a price. How often it was used follows from the orders. */
export const coupons = pgTable(
  'coupons',
  {
    /** Capital letters and digits, as `normalizeCode` writes them. */
    code: text().primaryKey(),
    /** What the operator made it for; codes that were made together share it. */
    name: text().notNull().default(''),
    /** Either a whole percentage from 1 to 100, or an amount with its currency (ISO 4217). */
    percent: integer(),
    amountMinor: integer('amount_minor'),
    currency: text(),
    /** Null for every course. */
    courseIds: text('course_ids').array(),
    startsAt: instant('starts_at'),
    endsAt: instant('ends_at'),
    /** How many orders may use it, and how many of one learner; null for any number. */
    maxUses: integer('max_uses'),
    maxUsesPerLearner: integer('max_uses_per_learner'),
    createdAt: instant('created_at').notNull().defaultNow(),
    /** When an operator ended it. */
    endedAt: instant('ended_at'),
  },
  (table) => [
    check(
      'coupons_discount',
      sql`case when percent is null then amount_minor is not null and amount_minor > 0 and currency is not null else percent between 1 and 100 and amount_minor is null end`,
    ),
    index('coupons_newest').on(table.createdAt, table.code),
    index('coupons_name').on(table.name),
  ],
)

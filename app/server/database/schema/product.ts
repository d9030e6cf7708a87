import { sql } from 'drizzle-orm'
import { bigint, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import type { Maintenance } from '../../http/maintenance.server'

/** One row that every process reads once a second, for state that they share. */
export const productState = pgTable('product_state', {
  id: integer().primaryKey(),
  /** Counts the changes of public pages. */
  version: bigint({ mode: 'number' }).notNull().default(0),
  /**
   * The subjects of the last changes, oldest first: the last one belongs to `version`, the one
   * before it to `version - 1`.
   */
  changes: text().array().notNull().default(sql`'{}'`),
  /** The message for visitors during maintenance. */
  maintenance: jsonb().$type<Maintenance>(),
})

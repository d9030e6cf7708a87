import { sql } from 'drizzle-orm'
import { bigint, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'

export type Maintenance = {
  /** The operator's message to visitors, or null for the usual one. */
  message: string | null
  /** When the operator expects to be done, in ISO 8601. */
  until: string | null
  /** When maintenance began, in ISO 8601. Older versions store no such time. */
  since?: string
}

/** One row that every process reads once a second, for what the processes share. */
export const productState = pgTable('product_state', {
  id: integer().primaryKey(),
  /** Counts the changes of public pages. */
  version: bigint({ mode: 'number' }).notNull().default(0),
  /**
   * The subjects of the last changes, oldest first: the last one belongs to `version`, the one
   * before it to `version - 1`.
   */
  changes: text().array().notNull().default(sql`'{}'`),
  /** Set while maintenance is on. */
  maintenance: jsonb().$type<Maintenance>(),
})

import { bigint, integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core'

/**
 * One row: which process does the background work, and until when the others leave it to that one.
 */
export const backgroundLease = pgTable('background_lease', {
  id: integer().primaryKey(),
  /** Host, process id and a random part: a process that starts anew is another one. */
  holder: text().notNull(),
  /** Grows whenever another process takes over. */
  term: bigint({ mode: 'number' }).notNull(),
  /** By the database's clock. */
  expiresAt: timestamp('expires_at', { withTimezone: true }).notNull(),
})

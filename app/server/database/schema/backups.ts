import { bigint, integer, pgTable, timestamp } from 'drizzle-orm/pg-core'

/** One row: the last backup that was finished, for the warning when it is too old. */
export const lastBackup = pgTable('last_backup', {
  id: integer().primaryKey(),
  finishedAt: timestamp('finished_at', { withTimezone: true, mode: 'date' }).notNull(),
  /** Of the archive. */
  bytes: bigint({ mode: 'number' }).notNull(),
})

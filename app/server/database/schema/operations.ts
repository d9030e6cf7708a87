import { sql } from 'drizzle-orm'
import { bigint, index, integer, jsonb, pgTable, text, timestamp } from 'drizzle-orm/pg-core'
import { bytea } from './columns'

export type Maintenance = {
  /** The operator's message to visitors, or null for the usual one. */
  message: string | null
  /** When the operator expects to be done, in ISO 8601. */
  until: string | null
  /** When maintenance began, in ISO 8601. Older versions store no such time. */
  since?: string
}

/** What the processes share, in a single row that every process reads once a second. */
export const productState = pgTable('product_state', {
  id: integer().primaryKey(),
  /** Counts the changes of public pages. */
  version: bigint({ mode: 'number' }).notNull().default(0),
  /**
   * The subjects of the last changes, oldest first. The last one belongs to `version`, and the one
   * before it to `version - 1`.
   */
  changes: text().array().notNull().default(sql`'{}'`),
  /** Null in normal operation. */
  maintenance: jsonb().$type<Maintenance>(),
})

/** The lease of the process that runs the background work, in a single row. */
export const backgroundLease = pgTable('background_lease', {
  id: integer().primaryKey(),
  /**
   * The host, the process ID and a random text, so that a process that starts again is another
   * holder.
   */
  holder: text().notNull(),
  /** Grows whenever another process takes over. */
  term: bigint({ mode: 'number' }).notNull(),
  /** When another process may take the lease, by the clock of the database. */
  expiresAt: timestamp('expires_at', { withTimezone: true }).notNull(),
})

/** The last finished backup, in a single row. The product warns if it is too old. */
export const lastBackup = pgTable('last_backup', {
  id: integer().primaryKey(),
  finishedAt: timestamp('finished_at', { withTimezone: true, mode: 'date' }).notNull(),
  /** The size of the archive. */
  bytes: bigint({ mode: 'number' }).notNull(),
})

/**
 * Scripts, styles and fonts of the builds that run now or ran recently. During an upgrade, two
 * builds run behind one proxy, and a process must respond with the files of either. Names contain a
 * hash of the content.
 */
export const buildFiles = pgTable(
  'build_files',
  {
    name: text().primaryKey(),
    bytes: bytea().notNull(),
    /** When a process with this file in its build last started. */
    usedAt: timestamp('used_at', { withTimezone: true, mode: 'date' }).notNull(),
  },
  (table) => [index('build_files_used_at').on(table.usedAt)],
)

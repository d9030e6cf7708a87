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

/** One row: the last backup that was finished, for the warning when it is too old. */
export const lastBackup = pgTable('last_backup', {
  id: integer().primaryKey(),
  finishedAt: timestamp('finished_at', { withTimezone: true, mode: 'date' }).notNull(),
  /** Of the archive. */
  bytes: bigint({ mode: 'number' }).notNull(),
})

/**
 * Scripts, styles and fonts of the builds that run now or ran lately, so that any process answers
 * for a page of any of them: during an upgrade two builds stand behind one proxy. Names have a hash
 * of the content.
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

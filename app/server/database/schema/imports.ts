import { sql } from 'drizzle-orm'
import { index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { bytea } from './columns'
import { instant } from './instant'

/**
 * Tables of learners, uploaded at the desk. The background work checks them, and imports them once
 * that is confirmed.
 */
export const imports = pgTable(
  'imports',
  {
    id: text().primaryKey(),
    /** The uid of the member of staff who uploaded or continued it. */
    by: text().notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
    fileName: text('file_name').notNull(),
    /** The uploaded file; null once it is checked. */
    file: bytea(),
    state: text({ enum: ['checking', 'refused', 'checked', 'running', 'stopped', 'done'] })
      .notNull()
      .default('checking'),
    /** Why the file was refused, or the import stopped. */
    refusal: text(),
    /** Names of columns that aren't read. */
    ignored: text().array().notNull().default(sql`'{}'`),
    /** The pace of the invitations. */
    emailsPerMinute: integer('emails_per_minute').notNull(),
    /** The check's counts of lines that change something, and of their changes. */
    lines: integer().notNull().default(0),
    newAccounts: integer('new_accounts').notNull().default(0),
    enrollments: integer().notNull().default(0),
    /** The number of lines that change nothing, that have a problem, and that are done. */
    unchanged: integer().notNull().default(0),
    failed: integer().notNull().default(0),
    imported: integer().notNull().default(0),
    /** The last line that was handled. */
    upTo: integer('up_to').notNull().default(0),
    finishedAt: instant('finished_at'),
  },
  (table) => [index('imports_newest').on(table.createdAt, table.id)],
)

/** Waiting and faulty lines of imports. The transaction that carries out a line deletes it. */
export const importRows = pgTable(
  'import_rows',
  {
    importId: text('import_id')
      .notNull()
      .references(() => imports.id, { onDelete: 'cascade' }),
    /** The line's number in the file. */
    line: integer().notNull(),
    /** The email address. The row is deleted with the account of this address. */
    address: text().notNull(),
    firstName: text('first_name').notNull(),
    lastName: text('last_name').notNull(),
    courses: text().array().notNull(),
    /** The planned changes, in a few words. */
    outcome: text(),
    /** Why it can't be imported, in sentences. */
    problem: text(),
  },
  (table) => [
    primaryKey({ columns: [table.importId, table.line] }),
    index('import_rows_problems').on(table.importId, table.line).where(sql`problem is not null`),
  ],
)

import { sql } from 'drizzle-orm'
import { index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { bytea } from './columns'
import { instant } from './instant'

/** A table of learners that somebody uploaded at the desk. The background work checks it, and imports it once that is asked for. */
export const imports = pgTable(
  'imports',
  {
    /** Random. */
    id: text().primaryKey(),
    /** The uid of the member of staff. */
    by: text().notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
    fileName: text('file_name').notNull(),
    /** What was uploaded; null once it is checked. */
    file: bytea(),
    state: text({ enum: ['checking', 'refused', 'checked', 'running', 'stopped', 'done'] })
      .notNull()
      .default('checking'),
    /** Why the file is no table of learners. */
    refusal: text(),
    /** Columns that aren't read. */
    ignored: text().array().notNull().default(sql`'{}'`),
    /** How fast invitations leave. */
    emailsPerMinute: integer('emails_per_minute').notNull(),
    /** By the check: lines that change something, and what they change. */
    lines: integer().notNull().default(0),
    newAccounts: integer('new_accounts').notNull().default(0),
    enrollments: integer().notNull().default(0),
    /** Lines that change nothing, that have a problem, and that are done. */
    unchanged: integer().notNull().default(0),
    failed: integer().notNull().default(0),
    imported: integer().notNull().default(0),
    /** The last line that was carried out or found to have a problem then. */
    upTo: integer('up_to').notNull().default(0),
    finishedAt: instant('finished_at'),
  },
  (table) => [index('imports_newest').on(table.createdAt, table.id)],
)

/** The lines of an import that wait, and those with a problem. A line goes in the transaction that carries it out. */
export const importRows = pgTable(
  'import_rows',
  {
    importId: text('import_id')
      .notNull()
      .references(() => imports.id, { onDelete: 'cascade' }),
    /** Its number in the file. */
    line: integer().notNull(),
    /** The email address; goes when its account is deleted. */
    address: text().notNull(),
    firstName: text('first_name').notNull(),
    lastName: text('last_name').notNull(),
    courses: text().array().notNull(),
    /** What it would change, in a few words. */
    outcome: text(),
    /** Why it can't be imported, in sentences. */
    problem: text(),
  },
  (table) => [
    primaryKey({ columns: [table.importId, table.line] }),
    index('import_rows_problems').on(table.importId, table.line).where(sql`problem is not null`),
  ],
)

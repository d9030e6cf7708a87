import { index, pgTable, text, timestamp } from 'drizzle-orm/pg-core'
import { bytea } from './columns'

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

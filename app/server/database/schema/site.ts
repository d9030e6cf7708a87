import { integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { bytea } from './columns'
import { instant } from './instant'

/**
 * What owners set at the desk: the name, the look, pages, the seller. Append-only: each change is a new version of its part, and an
 * undo is one with the former value. The last version of each part counts.
 */
export const siteVersions = pgTable(
  'site_versions',
  {
    /** Like 'name', or 'page-imprint'. */
    part: text().notNull(),
    /** Counts up from 1; two owners who change the same version conflict. */
    version: integer().notNull(),
    /** As `server/site/site-values.ts` checks it; null is what Learnify, the content or the environment say. */
    value: jsonb().$type<unknown>(),
    /** The uid of the owner; it may outlive the account. */
    by: text().notNull(),
    at: instant('at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.part, table.version] })],
)

/** The pictures that versions name. A name has a hash of the content, so that a version can be restored and a browser asks once. */
export const sitePictures = pgTable('site_pictures', { name: text().primaryKey(), bytes: bytea().notNull() })

import { integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { bytea } from './columns'
import { instant } from './instant'

/**
 * The name, appearance, pages, seller and other parts of the site that owners set at the desk. Each
 * change is a new version of its part, and an undo is a new version with the previous value. The
 * last version of each part is in effect.
 */
export const siteVersions = pgTable(
  'site_versions',
  {
    /** The name of the part, such as 'name' or 'page-imprint'. */
    part: text().notNull(),
    /** Counts up from 1, so that two owners can't overwrite each other's change. */
    version: integer().notNull(),
    /**
     * A value that `server/site/site-values.ts` allows. Null stands for the value of Learnify, the
     * content or the environment. Keys of the payment provider in it are encrypted.
     */
    value: jsonb().$type<unknown>(),
    /** The uid of the owner, even after the account is deleted. */
    by: text().notNull(),
    at: instant('at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.part, table.version] })],
)

/**
 * The pictures in versions. Names contain a hash of the content, so that pictures never change and
 * browsers can cache them.
 */
export const sitePictures = pgTable('site_pictures', {
  name: text().primaryKey(),
  bytes: bytea().notNull(),
})

import { boolean, customType, integer, pgTable, primaryKey, text, timestamp, unique } from 'drizzle-orm/pg-core'

const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' })

/**
 * The search index has segments that are built anew as a whole: `content/FORMAT` by each change of the content,
 * `sample/FORMAT` by the command that makes sample courses. During an upgrade the old program goes on with its own format.
 * docs/decisions/2026-11-22-search-by-sets.md says why.
 */
export const searchSegments = pgTable('search_segments', {
  segment: text().primaryKey(),
  /** A hash of all that was built: what a process keeps of another one is outdated. */
  version: text().notNull(),
  /** Of the program that built it. */
  format: integer().notNull(),
  courses: integer().notNull(),
  /** Its words and the courses of each: lines of `word count`, sorted by code units. */
  words: text().notNull(),
  /** The options of its filters and the courses of each, as `readOptions` takes them. */
  options: text().notNull(),
  /** A rating has changed since; the index will be rebuilt soon. */
  outdated: boolean().notNull().default(false),
  builtAt: timestamp('built_at', { withTimezone: true }).notNull().defaultNow(),
  /** Since when there is a segment of this name: a new format's tells when an upgrade began. */
  firstBuiltAt: timestamp('first_built_at', { withTimezone: true }).notNull().defaultNow(),
})

/** A segment's courses, numbered from 0 in order of popularity. */
export const searchPlaces = pgTable(
  'search_places',
  {
    segment: text().notNull(),
    place: integer().notNull(),
    courseId: text('course_id').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.segment, table.place] }),
    unique('search_places_course').on(table.courseId, table.segment),
  ],
)

/** Which of a segment's courses have a word, belong to an option of a filter ...: places as `SetWriter` writes them. */
export const searchSets = pgTable(
  'search_sets',
  {
    segment: text().notNull(),
    /** Of a word, an option ...; or of an order: then `members` are a number for each place; or a text. */
    kind: text().notNull(),
    name: text().notNull(),
    members: bytes().notNull(),
  },
  (table) => [primaryKey({ columns: [table.segment, table.kind, table.name] })],
)

/** `content/synonyms.yaml`: phrases that mean the same to a search. */
export const searchSynonyms = pgTable('search_synonyms', {
  position: integer().primaryKey(),
  phrases: text().array().notNull(),
})

import { sql } from 'drizzle-orm'
import {
  boolean,
  customType,
  date,
  index,
  integer,
  pgTable,
  primaryKey,
  real,
  smallint,
  text,
} from 'drizzle-orm/pg-core'
import { courses } from './catalog'

const tsvector = customType<{ data: string }>({ dataType: () => 'tsvector' })
/**
 * A text that is compared byte by byte, so that an index finds words by their beginning in a
 * database of any locale.
 */
const plainText = customType<{ data: string }>({ dataType: () => 'text collate "C"' })

/**
 * The search index, with a row for each course of the catalog and for the course of `/OneCourse`.
 * `writeCourseSearch` writes a row in the transaction that changes the course or its rating. `fold`
 * folds the texts, and `listWords` splits them into words, because PostgreSQL's own parser treats
 * 'node.js' and 'and/or' as one word and ignores 'C++'.
 */
export const courseSearch = pgTable(
  'course_search',
  {
    courseId: text('course_id')
      .primaryKey()
      .references(() => courses.id, { onDelete: 'cascade', onUpdate: 'cascade' }),
    /** Whether the catalog lists it without a search. */
    listed: boolean().notNull(),
    students: integer().notNull(),
    /** The displayed rating, which includes the reviews of learners. */
    rating: real().notNull(),
    priceMinor: integer('price_cents').notNull(),
    updated: date({ mode: 'string' }).notNull(),
    /**
     * The course's option in each group of filters, as the URL writes it. The columns are empty in
     * a row that the previous version wrote, until the next start fills them.
     */
    category: plainText(),
    level: plainText(),
    ratingRange: plainText('rating_range'),
    lengthRange: plainText('length_range'),
    priceRange: plainText('price_range'),
    language: plainText(),
    /** The columns up to `facets` are read only by the previous version, during an upgrade. */
    categoryStep: smallint('category_step').notNull().default(0),
    levelStep: smallint('level_step').notNull().default(0),
    ratingStep: smallint('rating_step').notNull().default(0),
    lengthStep: smallint('length_step').notNull().default(0),
    priceStep: smallint('price_step').notNull().default(0),
    languageStep: smallint('language_step').notNull().default(0),
    facets: integer().notNull().default(0),
    instructor: text().notNull(),
    skills: text().array().notNull(),
    /** The folded title, summary and instructor, each on a line of its own. */
    folded: text().notNull(),
    /** The words of `folded`. The words of the title have the weight A. */
    main: tsvector().notNull(),
    /** The words of `main` and those of the subtitle, skills and lesson titles. */
    words: tsvector().notNull(),
  },
  (table) => [
    index('course_search_folded')
      .using('gin', table.folded.op('gin_trgm_ops'))
      .with({ fastupdate: 'off' }),
    index('course_search_main').using('gin', table.main).with({ fastupdate: 'off' }),
    index('course_search_words').using('gin', table.words).with({ fastupdate: 'off' }),
    index('course_search_skills').using('gin', table.skills).with({ fastupdate: 'off' }),
    index('course_search_instructor').on(table.instructor),
    // There is one index for each order in `sortKeys`. All are read backward.
    index('course_search_students').on(table.students, table.courseId),
    index('course_search_rated').on(table.rating, table.students, table.courseId),
    index('course_search_newest').on(table.updated, table.students, table.courseId),
    index('course_search_cheapest').on(sql`(-price_cents)`, table.students, table.courseId),
    index('course_search_dearest').on(table.priceMinor, table.students, table.courseId),
  ],
)

/**
 * Every word of `course_search`. The table serves corrections, suggestions and word forms, and
 * tells how common a word is.
 */
export const searchWords = pgTable(
  'search_words',
  {
    word: plainText().primaryKey(),
    /** The stem of an English word, or null for a stop word. */
    stem: plainText(),
    /** The number of courses with the word in title, summary or instructor. */
    courses: integer().notNull(),
    /** The number of courses with the word anywhere. */
    anywhere: integer().notNull(),
  },
  (table) => [
    index('search_words_stem').on(table.stem),
    index('search_words_pieces')
      .using('gin', table.word.op('gin_trgm_ops'))
      .with({ fastupdate: 'off' }),
  ],
)

/** The skills and instructors that filters and suggestions offer. */
export const searchNames = pgTable(
  'search_names',
  {
    kind: text({ enum: ['skill', 'instructor'] }).notNull(),
    name: text().notNull(),
    folded: text().notNull(),
    /**
     * The number of listed courses. It is 0 for a name that only the course of `/OneCourse` has.
     */
    courses: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.kind, table.name] }),
    index('search_names_common').on(table.kind, table.courses),
    index('search_names_folded')
      .using('gin', table.folded.op('gin_trgm_ops'))
      .with({ fastupdate: 'off' }),
  ],
)

/**
 * The number of listed courses for each combination of filter options. Counting 250,000 courses by
 * six columns would take too long for a page, but adding up these few thousand rows does not.
 */
export const catalogCounts = pgTable(
  'catalog_counts',
  {
    category: plainText().notNull(),
    level: plainText().notNull(),
    ratingRange: plainText('rating_range').notNull(),
    lengthRange: plainText('length_range').notNull(),
    priceRange: plainText('price_range').notNull(),
    language: plainText().notNull(),
    courses: integer().notNull(),
  },
  (table) => [
    primaryKey({
      name: 'catalog_counts_pk',
      columns: [
        table.category,
        table.level,
        table.ratingRange,
        table.lengthRange,
        table.priceRange,
        table.language,
      ],
    }),
  ],
)

/** The languages by number. Only the previous version reads this table, during an upgrade. */
export const searchLanguages = pgTable('search_languages', {
  number: integer().primaryKey(),
  name: text().notNull().unique(),
  courses: integer().notNull().default(0),
})

/** The categories by number. Only the previous version reads this table, during an upgrade. */
export const searchCategories = pgTable('search_categories', {
  number: integer().primaryKey(),
  name: text().notNull().unique(),
})

/** Phrases of `content/synonyms.yaml` that mean the same in a search. */
export const searchSynonyms = pgTable('search_synonyms', {
  position: integer().primaryKey(),
  phrases: text().array().notNull(),
})

import { sql } from 'drizzle-orm'
import {
  boolean,
  date,
  index,
  integer,
  jsonb,
  numeric,
  pgTable,
  primaryKey,
  text,
  timestamp,
} from 'drizzle-orm/pg-core'
import type { CourseFile } from '~/features/courses/content/course-file.server'
import type { CourseOutline } from '~/features/courses/content/course-folder.server'
import type { Download } from '~/features/courses/content/download-files.server'
import type { QuizQuestion } from '~/features/courses/lessons/lesson-format.server'
import type { LessonKind } from '~/features/courses/lessons/lesson-kinds'

export type Instructor = CourseFile['instructor']

/** Loaded from `content/courses/SLUG/course.yaml`; the folder's name is `id` and the address. */
export const courses = pgTable(
  'courses',
  {
    id: text().primaryKey(),
    title: text().notNull(),
    subtitle: text().notNull(),
    summary: text().notNull(),
    /** Paragraphs separated by a blank line. */
    description: text().notNull(),
    /** An id of `categories`. */
    category: text().notNull(),
    level: text({ enum: ['beginner', 'intermediate', 'advanced'] }).notNull(),
    language: text().notNull(),
    inCatalogue: boolean('in_catalogue').notNull(),
    /** False also for a course whose folder is gone: the row preserves its learners' progress. */
    published: boolean().notNull(),
    priceCents: integer('price_cents').notNull(),
    originalPriceCents: integer('original_price_cents').notNull(),
    /** The last day of a reduced price, in UTC; then the original price becomes the price. */
    priceUntil: date('price_until', { mode: 'string' }),
    durationHours: numeric('duration_hours', { mode: 'number' }).notNull(),
    lectures: integer().notNull(),
    downloadableResources: integer('downloadable_resources').notNull(),
    students: integer().notNull(),
    /** 0 to 5, one decimal. */
    rating: numeric({ precision: 2, scale: 1, mode: 'number' }).notNull(),
    reviews: integer().notNull(),
    lastUpdated: date('last_updated', { mode: 'string' }).notNull(),
    instructorName: text('instructor_name').notNull(),
    instructor: jsonb().$type<Instructor>().notNull(),
    skills: text().array().notNull(),
    requirements: text().array().notNull(),
    whatYouLearn: text('what_you_learn').array().notNull(),
  },
  // For lists of a few courses, which are then the same work for twelve and for a million.
  (table) => [
    index('courses_popular')
      .on(table.students.desc().nullsFirst(), table.id)
      .where(sql`published and in_catalogue`),
    index('courses_popular_of_category')
      .on(table.category, table.students.desc().nullsFirst(), table.id)
      .where(sql`published and in_catalogue`),
    index('courses_price_until').on(table.priceUntil).where(sql`price_until is not null`),
    index('courses_skills').using('gin', table.skills).where(sql`published and in_catalogue`),
  ],
)

/** The offer in a course's file. */
export type OfferOfFile = {
  published: boolean
  /** In the currency's smallest unit. */
  priceCents: number
  originalPriceCents: number
  priceUntil: string | null
}

/**
 * Offers that the desk has changed. They override the course's file, as
 * `features/courses/course-offers.server.ts` explains. A course without a row follows its file.
 */
export const courseOffers = pgTable('course_offers', {
  courseId: text('course_id')
    .primaryKey()
    .references(() => courses.id, { onDelete: 'cascade', onUpdate: 'cascade' }),
  /** Null follows the file. */
  published: boolean(),
  /**
   * In the smallest unit of `currency`; null follows the file in price, full price and last day.
   */
  priceMinor: integer('price_minor'),
  originalPriceMinor: integer('original_price_minor'),
  /** The last day of a reduced price, in UTC. */
  priceUntil: date('price_until', { mode: 'string' }),
  /** ISO 4217. If the site has another currency, the file's price is in effect. */
  currency: text(),
  /** The file's values when it was last loaded, to return to. */
  file: jsonb().$type<OfferOfFile>().notNull(),
})

/** The courses chosen at the desk for Home. The most popular ones follow them. */
export const homeCourses = pgTable('home_courses', {
  place: integer().primaryKey(),
  courseId: text('course_id')
    .notNull()
    .unique()
    .references(() => courses.id, { onDelete: 'cascade', onUpdate: 'cascade' }),
})

/** A row for each price that a course has had, and for each time that it became a reduced one. */
export const priceHistory = pgTable(
  'price_history',
  {
    courseId: text('course_id')
      .notNull()
      .references(() => courses.id, { onDelete: 'cascade', onUpdate: 'cascade' }),
    at: timestamp({ withTimezone: true }).notNull(),
    /** In the currency's smallest unit. */
    priceMinor: integer('price_minor').notNull(),
    /** ISO 4217. */
    currency: text().notNull(),
    /** A higher price was shown beside it. */
    isReduced: boolean('is_reduced').notNull().default(false),
  },
  (table) => [primaryKey({ columns: [table.courseId, table.at] })],
)

export const courseSections = pgTable(
  'course_sections',
  {
    courseId: text('course_id')
      .notNull()
      .references(() => courses.id, { onDelete: 'cascade', onUpdate: 'cascade' }),
    id: text().notNull(),
    position: integer().notNull(),
    title: text().notNull(),
    /** All lectures the section will have, those without material yet included. */
    lectures: integer().notNull(),
    durationMinutes: integer('duration_minutes').notNull(),
  },
  (table) => [primaryKey({ columns: [table.courseId, table.id] })],
)

/**
 * Lesson ids are stable: a lesson that leaves the content is retired, so that finished work stays
 * finished.
 */
export const courseLessons = pgTable(
  'course_lessons',
  {
    courseId: text('course_id')
      .notNull()
      .references(() => courses.id, { onDelete: 'cascade', onUpdate: 'cascade' }),
    id: text().notNull(),
    sectionId: text('section_id').notNull(),
    /** Order in the whole course. */
    position: integer().notNull(),
    title: text().notNull(),
    kind: text().$type<LessonKind>().notNull(),
    durationSeconds: integer('duration_seconds').notNull(),
    preview: boolean().notNull(),
    /**
     * Base address of the media without ending, for example /media/courses/SLUG/videos/NAME; only
     * for videos.
     */
    video: text(),
    /** CommonMark; only for articles. */
    article: text(),
    /** Only for quizzes. */
    questions: jsonb().$type<QuizQuestion[]>(),
    /** Files in the course's folder `downloads/`, in the order of the lesson's page. */
    downloads: jsonb().$type<Download[]>().notNull().default(sql`'[]'`),
    retired: boolean().notNull().default(false),
  },
  (table) => [primaryKey({ columns: [table.courseId, table.id] })],
)

/** The sample reviews that come with a course's file. */
export const courseReviews = pgTable(
  'course_reviews',
  {
    courseId: text('course_id')
      .notNull()
      .references(() => courses.id, { onDelete: 'cascade', onUpdate: 'cascade' }),
    id: text().notNull(),
    position: integer().notNull(),
    name: text(),
    rating: integer().notNull(),
    date: date({ mode: 'string' }),
    comment: text(),
    helpful: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.courseId, table.id] }),
    index('course_reviews_order').on(table.courseId, table.position),
  ],
)

export const testimonials = pgTable('testimonials', {
  position: integer().primaryKey(),
  rating: integer().notNull(),
  text: text().notNull(),
  name: text().notNull(),
  role: text().notNull(),
})

/** `content/categories.yaml`: the categories of the catalog, and the cards of the home page. */
export const categories = pgTable('categories', {
  position: integer().primaryKey(),
  /** What courses name as their category; null for a card alone. */
  id: text().unique(),
  name: text().notNull(),
  /** Its name on the home page; null without a card there. */
  card: text(),
  /** As shown, for example '120+'; null for the courses that there are. */
  courses: text(),
  /** Icon name of lucide. */
  icon: text().notNull(),
  /** The catalog's category that the card leads to; null leads to the whole catalog. */
  catalogue: text(),
})

/** One row: the hash of the loaded `content/`, so that an unchanged start writes nothing. */
export const contentState = pgTable('content_state', {
  id: integer().primaryKey(),
  /** SHA-256 over the content files. */
  hash: text().notNull(),
  /** `countContentMigrations` of then: new tables or columns want the same content loaded anew. */
  migrations: integer().notNull(),
})

/** The courses of the content that is loaded: a folder is read again only when it has changed. */
export const contentCourses = pgTable('content_courses', {
  courseId: text('course_id').primaryKey(),
  /** `hashCourse`: over the course's folder and its instructor's portrait. */
  hash: text().notNull(),
  /** The course's outline, for checks of other files and of learners' progress. */
  outline: jsonb().$type<CourseOutline>().notNull(),
})

/** The hashes of all loaded content, so that a stale process can't load an old version again. */
export const contentHistory = pgTable('content_history', {
  hash: text().primaryKey(),
  loadedAt: timestamp('loaded_at', { withTimezone: true }).notNull().defaultNow(),
})

/** Ids that lessons had before; old addresses and late reports find the lesson by them. */
export const lessonAliases = pgTable(
  'lesson_aliases',
  {
    courseId: text('course_id')
      .notNull()
      .references(() => courses.id, { onDelete: 'cascade', onUpdate: 'cascade' }),
    alias: text().notNull(),
    lessonId: text('lesson_id').notNull(),
  },
  (table) => [primaryKey({ columns: [table.courseId, table.alias] })],
)

/** Folders that courses had before. */
export const courseAliases = pgTable('course_aliases', {
  alias: text().primaryKey(),
  courseId: text('course_id')
    .notNull()
    .references(() => courses.id, { onDelete: 'cascade', onUpdate: 'cascade' }),
})

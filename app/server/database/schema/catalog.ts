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

/**
 * Courses from `content/courses/SLUG/course.yaml`. The folder's name is the `id` and part of the
 * URL.
 */
export const courses = pgTable(
  'courses',
  {
    id: text().primaryKey(),
    title: text().notNull(),
    subtitle: text().notNull(),
    summary: text().notNull(),
    /** Paragraphs separated by a blank line. */
    description: text().notNull(),
    /** An ID of `categories`. */
    category: text().notNull(),
    level: text({ enum: ['beginner', 'intermediate', 'advanced'] }).notNull(),
    language: text().notNull(),
    inCatalogue: boolean('in_catalogue').notNull(),
    /**
     * Is false as well if the course's folder was removed. The row then keeps the progress of its
     * learners.
     */
    published: boolean().notNull(),
    priceMinor: integer('price_cents').notNull(),
    originalPriceMinor: integer('original_price_cents').notNull(),
    /** The last day of a reduced price, in UTC. The original price applies from the next day on. */
    priceUntil: date('price_until', { mode: 'string' }),
    durationHours: numeric('duration_hours', { mode: 'number' }).notNull(),
    lectures: integer().notNull(),
    downloadableResources: integer('downloadable_resources').notNull(),
    students: integer().notNull(),
    /** A number from 0 to 5 with one decimal. */
    rating: numeric({ precision: 2, scale: 1, mode: 'number' }).notNull(),
    reviews: integer().notNull(),
    lastUpdated: date('last_updated', { mode: 'string' }).notNull(),
    instructorName: text('instructor_name').notNull(),
    instructor: jsonb().$type<Instructor>().notNull(),
    skills: text().array().notNull(),
    requirements: text().array().notNull(),
    whatYouLearn: text('what_you_learn').array().notNull(),
  },
  // With these indexes, a list of a few courses takes as long with twelve courses as with a
  // million.
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

/**
 * The offer in the file of a course. It is stored as JSON, whose keys for prices are older than the
 * word 'minor'.
 */
export type OfferOfFile = {
  published: boolean
  /** The price in the currency's smallest unit. */
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
  /** Null uses the value of the file. */
  published: boolean(),
  /**
   * The price in the smallest unit of `currency`. Null uses the price, the original price and the
   * last day of the file.
   */
  priceMinor: integer('price_minor'),
  originalPriceMinor: integer('original_price_minor'),
  /** The last day of a reduced price, in UTC. */
  priceUntil: date('price_until', { mode: 'string' }),
  /** An ISO 4217 code. If the site has another currency, the price of the file applies. */
  currency: text(),
  /** The values of the file when it was last loaded, which the desk can restore. */
  file: jsonb().$type<OfferOfFile>().notNull(),
})

/** The courses that the desk has chosen for the home page. The most popular courses follow them. */
export const homeCourses = pgTable('home_courses', {
  place: integer().primaryKey(),
  courseId: text('course_id')
    .notNull()
    .unique()
    .references(() => courses.id, { onDelete: 'cascade', onUpdate: 'cascade' }),
})

/** The prices that a course has had. A price that becomes a reduced one gets another row. */
export const priceHistory = pgTable(
  'price_history',
  {
    courseId: text('course_id')
      .notNull()
      .references(() => courses.id, { onDelete: 'cascade', onUpdate: 'cascade' }),
    at: timestamp({ withTimezone: true }).notNull(),
    /** The price in the currency's smallest unit. */
    priceMinor: integer('price_minor').notNull(),
    /** An ISO 4217 code. */
    currency: text().notNull(),
    /** Whether a higher price was shown beside it. */
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
    /** The number of lectures that the section will have, including planned ones. */
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
    /** The position in the whole course. */
    position: integer().notNull(),
    title: text().notNull(),
    kind: text().$type<LessonKind>().notNull(),
    durationSeconds: integer('duration_seconds').notNull(),
    preview: boolean().notNull(),
    /**
     * The URL path of the video files without extension, such as /media/courses/SLUG/videos/NAME.
     * Only videos have one.
     */
    video: text(),
    /** The text in CommonMark. Only articles have one. */
    article: text(),
    /** Only quizzes have questions. */
    questions: jsonb().$type<QuizQuestion[]>(),
    /** The files of the course's folder `downloads/` that the lesson offers, in this order. */
    downloads: jsonb().$type<Download[]>().notNull().default(sql`'[]'`),
    retired: boolean().notNull().default(false),
  },
  (table) => [primaryKey({ columns: [table.courseId, table.id] })],
)

/** The sample reviews in the file of a course. */
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
  /** The ID that courses have as their category. It is null for a row that is only a card. */
  id: text().unique(),
  name: text().notNull(),
  /** The name on the home page, or null without a card there. */
  card: text(),
  /** The number of courses that the card shows beside Home's sample numbers, for example '120+'. */
  courses: text(),
  /** The name of a Lucide icon. */
  icon: text().notNull(),
  /** The category that the card leads to, or null for the whole catalog. */
  catalogue: text(),
})

/**
 * The hash of the loaded `content/`, in a single row. If it is unchanged, a start writes nothing.
 */
export const contentState = pgTable('content_state', {
  id: integer().primaryKey(),
  /** The SHA-256 of the content files. */
  hash: text().notNull(),
  /**
   * The result of `countContentMigrations`. New tables or columns require loading the content
   * again.
   */
  migrations: integer().notNull(),
})

/** The loaded courses. The folder of a course is read again only if its hash has changed. */
export const contentCourses = pgTable('content_courses', {
  courseId: text('course_id').primaryKey(),
  /** The result of `hashCourse` for the course's folder and its instructor's portrait. */
  hash: text().notNull(),
  /** The outline of the course. Checks of other files and of learners' progress need it. */
  outline: jsonb().$type<CourseOutline>().notNull(),
})

/**
 * The hashes of all content that was ever loaded, so that an outdated process can't load it again.
 */
export const contentHistory = pgTable('content_history', {
  hash: text().primaryKey(),
  loadedAt: timestamp('loaded_at', { withTimezone: true }).notNull().defaultNow(),
})

/** The previous IDs of lessons. Old URLs and late progress reports still contain them. */
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

/** The previous folders of courses. */
export const courseAliases = pgTable('course_aliases', {
  alias: text().primaryKey(),
  courseId: text('course_id')
    .notNull()
    .references(() => courses.id, { onDelete: 'cascade', onUpdate: 'cascade' }),
})

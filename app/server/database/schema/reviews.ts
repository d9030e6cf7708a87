import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  unique,
} from 'drizzle-orm/pg-core'
import { courseId, uid } from './columns'
import { instant } from './instant'

/** Learners' reviews, one per learner and course. Sample reviews are in `course_reviews`. */
export const reviews = pgTable(
  'reviews',
  {
    uid: uid(),
    courseId: courseId(),
    /** A random ID, which is public in place of the uid. */
    id: text().notNull(),
    /** A number from 1 to 5. */
    rating: integer().notNull(),
    comment: text(),
    /** Whether the review shows the learner's name and photo, and not 'Anonymous'. */
    showsName: boolean('shows_name').notNull().default(true),
    createdAt: instant('created_at').notNull().defaultNow(),
    /** When the review was last changed. It equals `createdAt` before the first change. */
    updatedAt: instant('updated_at').notNull().defaultNow(),
    /** When staff hid the review. A hidden review is not listed and does not count. */
    hiddenAt: instant('hidden_at'),
    /** The reason that the author of a hidden review reads, or null. */
    hiddenReason: text('hidden_reason'),
    /**
     * When the learner removed the review while it was hidden. The row stays without its text, so
     * that a new review stays hidden.
     */
    removedAt: instant('removed_at'),
    /** The instructor's answer below the review, as plain text. */
    answer: text(),
    /** When the answer was last changed. */
    answeredAt: instant('answered_at'),
  },
  (table) => [
    primaryKey({ columns: [table.uid, table.courseId] }),
    unique('reviews_id').on(table.id),
    index('reviews_newest').on(table.createdAt, table.id),
    index('reviews_of_course').on(table.courseId, table.createdAt, table.id),
    index('reviews_shown').on(table.courseId, table.rating).where(sql`hidden_at is null`),
    check('reviews_rating', sql`rating between 1 and 5`),
  ],
)

/** Votes for helpful reviews, one per learner and review. */
export const reviewVotes = pgTable(
  'review_votes',
  {
    uid: uid(),
    courseId: courseId(),
    /**
     * The ID of a row in `reviews` or `course_reviews`. There is no foreign key, because loading
     * the content stores the rows of `course_reviews` again.
     */
    reviewId: text('review_id').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.uid, table.courseId, table.reviewId] }),
    index('review_votes_review').on(table.courseId, table.reviewId),
  ],
)

/** Learners' reports of reviews, one per learner and review. */
export const reviewReports = pgTable(
  'review_reports',
  {
    uid: uid(),
    reviewId: text('review_id')
      .notNull()
      .references(() => reviews.id, { onDelete: 'cascade' }),
    reason: text({ enum: ['spam', 'offensive', 'private', 'unrelated', 'other'] }).notNull(),
    comment: text(),
    createdAt: instant('created_at').notNull().defaultNow(),
    /** When staff hid the review, or left it as it is. */
    closedAt: instant('closed_at'),
  },
  (table) => [
    primaryKey({ columns: [table.uid, table.reviewId] }),
    index('review_reports_open').on(table.reviewId).where(sql`closed_at is null`),
  ],
)

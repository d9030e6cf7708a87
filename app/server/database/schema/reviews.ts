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

/**
 * Learners' reviews, one per learner and course. Reviews of a course's file are in
 * `course_reviews`.
 */
export const reviews = pgTable(
  'reviews',
  {
    uid: uid(),
    courseId: courseId(),
    /** Random: names the review in public, where no uid belongs. */
    id: text().notNull(),
    /** 1 to 5. */
    rating: integer().notNull(),
    comment: text(),
    /** Name and photo, by the learner's choice; otherwise 'Anonymous'. */
    showsName: boolean('shows_name').notNull().default(true),
    createdAt: instant('created_at').notNull().defaultNow(),
    /** When it was last changed; equal to `createdAt` until then. */
    updatedAt: instant('updated_at').notNull().defaultNow(),
    /** By an operator: it is in no list and counts nowhere. */
    hiddenAt: instant('hidden_at'),
    /** Why, in words that the author reads; null without a reason. */
    hiddenReason: text('hidden_reason'),
    /**
     * Removed by the learner while hidden. The row stays without its text, so that a new review
     * stays hidden.
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

/** 'Helpful', once per person and review. */
export const reviewVotes = pgTable(
  'review_votes',
  {
    uid: uid(),
    courseId: courseId(),
    /**
     * Of `reviews` or of `course_reviews`; the latter are stored anew with the content, so that no
     * key refers to them.
     */
    reviewId: text('review_id').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.uid, table.courseId, table.reviewId] }),
    index('review_votes_review').on(table.courseId, table.reviewId),
  ],
)

/** Learners' reports about reviews, one per person and review. */
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

import { type SQL, sql } from 'drizzle-orm'

/**
 * Parts of a query on `courses`: its rating and number of reviews, as shown. They are those of its file and, on top,
 * every learner's review that is not hidden. Derived, they follow in the very transaction that writes a review, hides it
 * or removes an account, and loading the content anew loses nothing: docs/decisions/2026-11-20-ratings-are-derived.md.
 */
export const shownRating: SQL<number> = sql<number>`coalesce((
  select round((courses.rating * courses.reviews + sum(v.rating)) / (courses.reviews + count(*)), 1)
  from reviews v where v.course_id = courses.id and v.hidden_at is null having count(*) > 0
), courses.rating)`.mapWith(Number)

export const shownReviewCount: SQL<number> = sql<number>`courses.reviews + (
  select count(*) from reviews v where v.course_id = courses.id and v.hidden_at is null)`.mapWith(Number)

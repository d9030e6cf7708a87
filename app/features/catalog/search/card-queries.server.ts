import { sql } from 'drizzle-orm'
import { shownRating, shownReviewCount } from '~/features/reviews/review-rating.server'
import { courses } from '~/server/database/schema'
import type { CatalogueCourse } from './catalog-result'
import { type Connection, listRows } from './search-transaction.server'

/** What a card shows. */
export type CourseRow = Omit<CatalogueCourse, 'marks'>

/** Courses by their ids, in that order. */
export async function listCards(connection: Connection, ids: readonly string[]): Promise<CourseRow[]> {
  if (ids.length === 0) return []
  return listRows<CourseRow>(
    connection,
    sql`select courses.id, title, summary, instructor_name as "instructorName", ${shownRating}::float8 as rating,
      (${shownReviewCount})::int as reviews, duration_hours::float8 as "durationHours", students,
      price_cents as "priceCents", category, level
    from unnest(${sql.param(ids)}::text[]) with ordinality as wanted(id, place) join ${courses} using (id)
    where published order by place`,
  )
}

import { sql } from 'drizzle-orm'
import {
  displayedRating,
  displayedReviewCount,
} from '~/features/reviews/review-page-queries.server'
import { formatPrice } from '~/features/school/money'
import { courses } from '~/server/database/schema/index'
import { siteCurrency } from '~/server/site/site.server'
import { categoryName } from '../course-columns.server'
import type { CatalogCourse } from './catalog-query'
import { type Connection, listRows } from './search-transaction.server'

/** What the card of a course displays, apart from the marks of a search. */
export type CourseCardData = Omit<CatalogCourse, 'marks'>

/** Lists the published courses with these IDs, in the order of the IDs. */
export async function listCourseCards(
  connection: Connection,
  ids: readonly string[],
): Promise<CourseCardData[]> {
  if (ids.length === 0) {
    return []
  }

  const rows = await listRows<Omit<CourseCardData, 'price'> & { priceMinor: number }>(
    connection,
    sql`
      select
        courses.id,
        title,
        summary,
        instructor_name as "instructorName",
        ${displayedRating}::float8 as rating,
        (${displayedReviewCount})::int as reviews,
        duration_hours::float8 as "durationHours",
        students,
        price_cents as "priceMinor",
        ${categoryName} as "categoryName",
        level
      from unnest(${sql.param(ids)}::text[]) with ordinality as requested(id, position)
      join ${courses} using (id)
      where published
      order by requested.position`,
  )

  const currency = siteCurrency()
  return rows.map(({ priceMinor, ...card }) => ({
    ...card,
    price: formatPrice(priceMinor, currency),
  }))
}

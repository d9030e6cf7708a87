import { type SQL, sql } from 'drizzle-orm'
import { type ReviewChoice, type ReviewSort, reviewsAPage } from './review-list'

export type CourseReview = {
  /** Of the course's file, or random: never says who wrote it. */
  id: string
  name: string | null
  /** Address of the learner's photo. */
  photo: string | null
  rating: number
  /** Like 2026-11-20. */
  date: string | null
  /** Changed after it was written. */
  edited: boolean
  comment: string | null
  /** Learners who found it helpful. */
  helpful: number
}

export type ReviewPage = {
  /** The page that `list` is. */
  page: number
  pages: number
  /** How many reviews gave 5, 4, 3, 2 and 1 stars, whatever was chosen. */
  stars: [number, number, number, number, number]
  list: CourseReview[]
}

const orders: Record<ReviewSort, SQL> = {
  helpful: sql`helpful desc, date desc nulls last`,
  newest: sql`date desc nulls first, at desc nulls last`,
  highest: sql`rating desc, helpful desc, date desc nulls last`,
  lowest: sql`rating, helpful desc, date desc nulls last`,
}

/**
 * A `ReviewPage` as a part of a query on `courses`: the reviews of its file and those of learners, but none that is
 * hidden, each with all of its votes.
 */
export function reviewPageOf({ sort, stars, page }: ReviewChoice): SQL<ReviewPage> {
  return sql<ReviewPage>`(
    with listed as (
      select id, name, null::text as photo, rating, date, false as edited, comment, helpful, position, null::timestamptz as at
      from course_reviews where course_id = courses.id
      union all
      select v.id, case when v.shows_name then u.name end, case when v.shows_name then u.image end, v.rating,
        (v.created_at at time zone 'UTC')::date, v.updated_at > v.created_at, v.comment, 0, null, v.created_at
      from reviews v join users u on u.id = v.uid where v.course_id = courses.id and v.hidden_at is null
    ), votes as (
      select review_id, count(*)::int as votes from review_votes where course_id = courses.id group by review_id
    ), counted as (
      select id, name, photo, rating, date, edited, comment, helpful + coalesce(votes, 0) as helpful, position, at
      from listed left join votes on review_id = id
    ), placed as (
      select *, row_number() over (order by ${orders[sort]}, position, id) - 1 as place
      from counted where ${stars}::int is null or rating = ${stars}::int
    ), pages as (
      select greatest(1, ceil(count(*) / ${reviewsAPage}::numeric))::int as pages from placed
    )
    select json_build_object(
      'page', least(${page}::int, pages),
      'pages', pages,
      'stars', (select json_agg((select count(*) from counted where rating = star) order by star desc)
        from generate_series(1, 5) star),
      'list', (select coalesce(json_agg(json_build_object('id', id, 'name', name, 'photo', photo, 'rating', rating,
          'date', date, 'edited', edited, 'comment', comment, 'helpful', helpful) order by place), '[]')
        from placed where place / ${reviewsAPage}::int = least(${page}::int, pages) - 1)
    ) from pages)`
}

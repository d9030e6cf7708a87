/** Builds parts of SQL queries on `courses`: the displayed rating, and a page of reviews. */
import { type SQL, sql } from 'drizzle-orm'
import { isRealNameInDatabase } from '~/features/accounts/full-name.server'
import { type ReviewChoice, type ReviewSort, reviewsPerPage } from './review-list'

/**
 * The displayed rating of a course. It is derived from the rating in the course's file and from all
 * reviews of learners that are not hidden: docs/decisions/2026-11-20-ratings-are-derived.md.
 */
export const displayedRating: SQL<number> = sql<number>`coalesce(
  (
    select round(
      (courses.rating * courses.reviews + sum(v.rating)) / (courses.reviews + count(*)),
      1
    )
    from reviews v
    where v.course_id = courses.id and v.hidden_at is null
    having count(*) > 0
  ),
  courses.rating
)`.mapWith(Number)

/**
 * The displayed number of reviews: those of the course's file, and all reviews of learners that are
 * not hidden.
 */
export const displayedReviewCount: SQL<number> = sql<number>`courses.reviews + (
  select count(*)
  from reviews v
  where v.course_id = courses.id and v.hidden_at is null
)`.mapWith(Number)

export type CourseReview = {
  /** The ID in the course's file, or a random ID, which doesn't reveal the author. */
  id: string
  /** Null if the learner doesn't show their name or has not given one. */
  name: string | null
  /** The URL of the learner's photo. */
  photo: string | null
  rating: number
  /** A date such as 2026-11-20. */
  date: string | null
  /** Whether the review was changed after it was written. */
  edited: boolean
  comment: string | null
  /** The number of learners who found the review helpful. */
  helpful: number
  /**
   * Whether a learner wrote the review on this site. It is false for reviews from the course's
   * file.
   */
  isLearners: boolean
  /** The instructor's answer. */
  answer: string | null
}

export type ReviewPage = {
  /** The page number of `list`. */
  page: number
  /** The number of pages. */
  pages: number
  /**
   * How many reviews have 5, 4, 3, 2 and 1 stars. The chosen filter doesn't change these numbers.
   */
  stars: [number, number, number, number, number]
  list: CourseReview[]
}

const orderBySort: Record<ReviewSort, SQL> = {
  helpful: sql`helpful desc, date desc nulls last`,
  newest: sql`date desc nulls first, at desc nulls last`,
  highest: sql`rating desc, helpful desc, date desc nulls last`,
  lowest: sql`rating, helpful desc, date desc nulls last`,
}

/** Columns that count the reviews by their stars. */
const starCounts = [5, 4, 3, 2, 1].map(
  (stars) => sql`count(*) filter (where rating = ${sql.raw(String(stars))})`,
)

/**
 * Selects a `ReviewPage`: the reviews of the course's file and those of learners that are not
 * hidden, with all of their votes. A course can have ten thousand reviews, so only a few columns
 * are sorted. The other columns are read for one page.
 */
export function selectReviewPage({ sort, stars, page }: ReviewChoice): SQL<ReviewPage> {
  return sql<ReviewPage>`(
    with all_reviews as (
      select id, rating, date, helpful, position, null::timestamptz as at
      from course_reviews
      where course_id = courses.id
      union all
      select id, rating, (created_at at time zone 'UTC')::date, 0, null, created_at
      from reviews
      where course_id = courses.id and hidden_at is null
    ), vote_counts as (
      select review_id, count(*)::int as votes
      from review_votes
      where course_id = courses.id
      group by review_id
    ), counted_reviews as (
      select id, rating, date, helpful + coalesce(votes, 0) as helpful, position, at
      from all_reviews
      left join vote_counts on review_id = id
    ), sorted_reviews as (
      select
        *,
        row_number() over (order by ${orderBySort[sort]}, position, id) - 1 as index
      from counted_reviews
      where ${stars}::int is null or rating = ${stars}::int
    ), page_count as (
      select greatest(1, ceil(count(*) / ${reviewsPerPage}::numeric))::int as pages
      from sorted_reviews
    ), page_reviews as (
      select sorted_reviews.*
      from sorted_reviews, page_count
      where index / ${reviewsPerPage}::int = least(${page}::int, pages) - 1
    )
    select json_build_object(
      'page', least(${page}::int, pages),
      'pages', pages,
      'stars', (select json_build_array(${sql.join(starCounts, sql`, `)}) from counted_reviews),
      'list', (
        select coalesce(
          json_agg(
            json_build_object(
              'id', p.id,
              'name', coalesce(c.name, u.name),
              'photo', u.image,
              'rating', p.rating,
              'date', p.date,
              'edited', coalesce(v.updated_at > v.created_at, false),
              'comment', coalesce(c.comment, v.comment),
              'helpful', p.helpful,
              'isLearners', v.id is not null,
              'answer', v.answer
            )
            order by p.index
          ),
          '[]'
        )
        from page_reviews p
        left join course_reviews c
          on p.position is not null and c.course_id = courses.id and c.id = p.id
        left join reviews v on p.position is null and v.id = p.id
        left join users u
          on u.id = v.uid and v.shows_name and ${isRealNameInDatabase(sql`u.name`)}
      )
    )
    from page_count
  )`
}

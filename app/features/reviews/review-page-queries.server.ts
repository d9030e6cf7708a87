import { type SQL, sql } from 'drizzle-orm'
import { type ReviewChoice, type ReviewSort, reviewsPerPage } from './review-list'

/**
 * Parts of a query on `courses`: its rating and number of reviews, as shown. They are those of its
 * file and every learner's review that is not hidden:
 * docs/decisions/2026-11-20-ratings-are-derived.md.
 */
export const displayedRating: SQL<number> = sql<number>`coalesce((
  select round((courses.rating * courses.reviews + sum(v.rating)) / (courses.reviews + count(*)), 1)
  from reviews v where v.course_id = courses.id and v.hidden_at is null having count(*) > 0
), courses.rating)`.mapWith(Number)

export const displayedReviewCount: SQL<number> = sql<number>`courses.reviews + (
  select count(*) from reviews v where v.course_id = courses.id and v.hidden_at is null)`.mapWith(
  Number,
)

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
  /** False for reviews from the course's files. */
  isLearners: boolean
  /** The instructor's answer. */
  answer: string | null
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
 * A `ReviewPage` as a part of a query on `courses`: the reviews of its file and those of learners,
 * but none that is hidden, each with all of its votes. Ten thousand are sorted by few columns; only
 * those of the page are read whole.
 */
export function selectReviewPage({ sort, stars, page }: ReviewChoice): SQL<ReviewPage> {
  return sql<ReviewPage>`(
    with listed as (
      select id, rating, date, helpful, position, null::timestamptz as at
      from course_reviews where course_id = courses.id
      union all
      select id, rating, (created_at at time zone 'UTC')::date, 0, null, created_at
      from reviews where course_id = courses.id and hidden_at is null
    ), votes as (
      select review_id, count(*)::int as votes from review_votes where course_id = courses.id group by review_id
    ), counted as (
      select id, rating, date, helpful + coalesce(votes, 0) as helpful, position, at
      from listed left join votes on review_id = id
    ), placed as (
      select *, row_number() over (order by ${orders[sort]}, position, id) - 1 as place
      from counted where ${stars}::int is null or rating = ${stars}::int
    ), pages as (
      select greatest(1, ceil(count(*) / ${reviewsPerPage}::numeric))::int as pages from placed
    ), page as (
      select placed.* from placed, pages where place / ${reviewsPerPage}::int = least(${page}::int, pages) - 1
    )
    select json_build_object(
      'page', least(${page}::int, pages),
      'pages', pages,
      'stars', (select json_build_array(${sql.join(starCounts, sql`, `)}) from counted),
      'list', (select coalesce(json_agg(json_build_object('id', p.id, 'name', coalesce(c.name, u.name), 'photo', u.image,
          'rating', p.rating, 'date', p.date, 'edited', coalesce(v.updated_at > v.created_at, false),
          'comment', coalesce(c.comment, v.comment), 'helpful', p.helpful,
          'isLearners', v.id is not null, 'answer', v.answer) order by p.place), '[]')
        from page p
        left join course_reviews c on p.position is not null and c.course_id = courses.id and c.id = p.id
        left join reviews v on p.position is null and v.id = p.id
        left join users u on u.id = v.uid and v.shows_name)
    ) from pages)`
}

const starCounts = [5, 4, 3, 2, 1].map(
  (stars) => sql`count(*) filter (where rating = ${sql.raw(String(stars))})`,
)

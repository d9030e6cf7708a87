import { randomBytes } from 'node:crypto'
import { type SQL, sql } from 'drizzle-orm'
import type { RatingsChange } from '~/features/accounts/own-data/account-deletion.server'
import type { Database } from '~/server/database/client.server'
import { type OwnReviews, reviewFromPercent, type VoteLack } from './own-reviews'
import type { ReviewForm } from './review-form-schema'
import { type ReviewChoice, type ReviewSort, reviewsAPage } from './review-list'

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

/** `ratingsChange` writes what else shows a course's rating, in the same transaction. */
export type RatedCourses = { db: Database; ratingsChange: RatingsChange }

/** Of more, the older ones show as not given. */
const votesListed = 500

/** The learner's own part of a course's reviews; empty for an unknown or unpublished course. */
export async function getOwnReviews(db: Database, uid: string, courseId: string): Promise<OwnReviews> {
  const {
    rows: [row],
  } = await db.execute<OwnReviews>(sql`
    select
      (${reviewEligibility(uid)}) as eligibility,
      (${voteLack(uid)}) as "voteLacks",
      (select json_build_object('id', id, 'rating', rating, 'comment', comment, 'showsName', shows_name,
        'hidden', hidden_at is not null) from reviews where uid = ${uid} and course_id = c.id and removed_at is null) as review,
      (select coalesce(json_object_agg(review_id, helpful), '{}') from (
        select review_id, coalesce(r.helpful, 0) + (
            select count(*) from review_votes every where every.course_id = c.id and every.review_id = mine.review_id
          ) as helpful
        from review_votes mine left join course_reviews r on r.course_id = mine.course_id and r.id = mine.review_id
        where mine.uid = ${uid} and mine.course_id = c.id
        order by mine.created_at desc limit ${votesListed}) latest) as votes
    from courses c where c.id = ${courseId} and c.published`)
  return row ?? { eligibility: 'not-enrolled', voteLacks: 'enrollment', review: null, votes: {} }
}

/** The learner's missing requirement for voting in the course `c`; null if there is none. */
const voteLack = (uid: string) => sql`
  select case
    when not exists (select from enrollments where uid = ${uid} and course_id = c.id) then 'enrollment'
    when not exists (select from users where id = ${uid} and email_verified) then 'confirmation' end`

/**
 * Whether the learner may review the course `c`: with a confirmed address, because a rating counts people, and after
 * `reviewFromPercent` of the course, or once it was completed, even if lessons were added since.
 */
const reviewEligibility = (uid: string) => sql`
  select case
    when e.uid is null then 'not-enrolled'
    when not exists (select from users where id = ${uid} and email_verified) then 'unconfirmed'
    when e.completed_at is not null
      or p.total_seconds > 0 and p.done_seconds * 100 >= p.total_seconds * ${reviewFromPercent}::int
    then 'may-review'
    else 'too-early' end
  from (select 1) one
  left join enrollments e on e.uid = ${uid} and e.course_id = c.id
  left join course_progress p on p.uid = e.uid and p.course_id = e.course_id`

/**
 * Writes a learner's review of a course, or changes the one there is: one row, however many requests ask. Who has written
 * one may change it also when lessons were added or unmarked since.
 *
 * @returns false when the learner may not review this course, and nothing is stored.
 */
export function recordReview(
  { db, ratingsChange }: RatedCourses,
  { uid, courseId }: { uid: string; courseId: string },
  { rating, comment, showsName }: ReviewForm,
  now: Date,
): Promise<boolean> {
  const instant = sql`${now.toISOString()}::timestamptz`
  const changed = sql`v.removed_at is null and (v.rating, v.comment, v.shows_name) is distinct from
    (excluded.rating, excluded.comment, excluded.shows_name)`
  return db.transaction(async (transaction) => {
    const {
      rows: [row],
    } = await transaction.execute<{ changed: boolean }>(sql`
    insert into reviews as v (uid, course_id, id, rating, comment, shows_name, created_at, updated_at)
    select u.id, c.id, ${newReviewId()}, ${rating}::int, nullif(${comment}::text, ''), ${showsName}::boolean, ${instant}, ${instant}
    from courses c join users u on u.id = ${uid}
    where c.id = ${courseId} and c.published and ((${reviewEligibility(uid)}) = 'may-review'
      or exists (select from reviews where uid = u.id and course_id = c.id and removed_at is null))
    on conflict (uid, course_id) do update set
      rating = excluded.rating, comment = excluded.comment, shows_name = excluded.shows_name,
      created_at = case when v.removed_at is null then v.created_at else excluded.created_at end,
      updated_at = case when ${changed} or v.removed_at is not null then excluded.updated_at else v.updated_at end,
      removed_at = null
    returning v.updated_at = ${instant} as changed`)
    if (row?.changed) await ratingsChange(transaction, [courseId])
    return row !== undefined
  })
}

/** 128 random bits. */
function newReviewId(): string {
  return randomBytes(16).toString('base64url')
}

/** Removes a learner's review with its votes. Idempotent. For a hidden one, a mark stays that it was hidden. */
export function removeReview(
  { db, ratingsChange }: RatedCourses,
  { uid, courseId }: { uid: string; courseId: string },
): Promise<void> {
  return db.transaction(async (transaction) => {
    const {
      rows: [row],
    } = await transaction.execute<{ changed: boolean }>(sql`
    with hidden as (
      update reviews set removed_at = now(), comment = null
      where uid = ${uid} and course_id = ${courseId} and hidden_at is not null
    ), removed as (
      delete from reviews where uid = ${uid} and course_id = ${courseId} and hidden_at is null returning course_id, id
    ), voided as (
      delete from review_votes v using removed r where v.course_id = r.course_id and v.review_id = r.id
    )
    select exists (select from removed) as changed`)
    if (row?.changed) await ratingsChange(transaction, [courseId])
  })
}

type Vote = { uid: string; courseId: string; reviewId: string }

/** `refusal`: the learner lacks something, or there is no such review to be seen, or it is the learner's own. */
type VoteResult = { refusal: VoteLack | 'not-votable' | null }

/** Counts a learner's 'helpful' for a review of the course's file or of another learner, once. */
export async function recordVote(db: Database, { uid, courseId, reviewId }: Vote): Promise<VoteResult> {
  const {
    rows: [row],
  } = await db.execute<{ found: boolean; lacks: VoteLack | null }>(sql`
    with votable as (
      select c.id as course_id, r.id from courses c join course_reviews r on r.course_id = c.id
      where c.id = ${courseId} and c.published and r.id = ${reviewId}
      union all
      select c.id, v.id from courses c join reviews v on v.course_id = c.id
      where c.id = ${courseId} and c.published and v.id = ${reviewId} and v.hidden_at is null and v.uid <> ${uid}
    ), voter as (
      select (${voteLack(uid)}) as lacks from courses c where c.id = ${courseId}
    ), voted as (
      insert into review_votes (uid, course_id, review_id)
      select ${uid}, course_id, id from votable join voter on lacks is null
      on conflict do nothing
    )
    select exists (select from votable) as found, (select lacks from voter) as lacks`)
  return { refusal: row?.found ? row.lacks : 'not-votable' }
}

/** Takes a vote back. Idempotent. */
export async function removeVote(db: Database, { uid, courseId, reviewId }: Vote): Promise<void> {
  await db.execute(sql`
    delete from review_votes where uid = ${uid} and course_id = ${courseId} and review_id = ${reviewId}`)
}

/**
 * Hides a learner's review from everyone but its author, or shows it again.
 *
 * @param name the review's id, or the uid of its author.
 * @returns the author's uid; null if the course has no review of this name.
 */
export function setReviewHidden(
  { db, ratingsChange }: RatedCourses,
  { courseId, name }: { courseId: string; name: string },
  hidden: boolean,
): Promise<{ id: string; uid: string } | null> {
  return db.transaction(async (transaction) => {
    const {
      rows: [review],
    } = await transaction.execute<{ id: string; uid: string }>(sql`
      update reviews set hidden_at = case when ${hidden}::boolean then coalesce(hidden_at, now()) end
      where course_id = ${courseId} and (id = ${name} or uid = ${name}) and removed_at is null returning id, uid`)
    if (review) await ratingsChange(transaction, [courseId])
    return review ?? null
  })
}

type ListedReview = { id: string; rating: number; hidden: boolean; comment: string | null }

/** Learners' reviews of a course for its operator, hidden ones included, newest first; null for an unknown course. */
export async function listReviews(db: Database, courseId: string, limit: number): Promise<ListedReview[] | null> {
  const { rows: known } = await db.execute(sql`select from courses where id = ${courseId}`)
  if (known.length === 0) return null
  const { rows } = await db.execute<ListedReview>(sql`
    select id, rating, hidden_at is not null as hidden, comment from reviews
    where course_id = ${courseId} and removed_at is null order by created_at desc, id limit ${limit}`)
  return rows
}

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
 * hidden, each with all of its votes. Ten thousand are sorted by few columns; only those of the page are read whole.
 */
export function reviewPageOf({ sort, stars, page }: ReviewChoice): SQL<ReviewPage> {
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
      select greatest(1, ceil(count(*) / ${reviewsAPage}::numeric))::int as pages from placed
    ), page as (
      select placed.* from placed, pages where place / ${reviewsAPage}::int = least(${page}::int, pages) - 1
    )
    select json_build_object(
      'page', least(${page}::int, pages),
      'pages', pages,
      'stars', (select json_build_array(${sql.join(starCounts, sql`, `)}) from counted),
      'list', (select coalesce(json_agg(json_build_object('id', p.id, 'name', coalesce(c.name, u.name), 'photo', u.image,
          'rating', p.rating, 'date', p.date, 'edited', coalesce(v.updated_at > v.created_at, false),
          'comment', coalesce(c.comment, v.comment), 'helpful', p.helpful) order by p.place), '[]')
        from page p
        left join course_reviews c on p.position is not null and c.course_id = courses.id and c.id = p.id
        left join reviews v on p.position is null and v.id = p.id
        left join users u on u.id = v.uid and v.shows_name)
    ) from pages)`
}

const starCounts = [5, 4, 3, 2, 1].map((stars) => sql`count(*) filter (where rating = ${sql.raw(String(stars))})`)

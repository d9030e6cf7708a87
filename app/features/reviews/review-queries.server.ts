import { sql } from 'drizzle-orm'
import type { UpdateRatings } from '~/features/accounts/own-data/account-deletion.server'
import type { Database, Statements } from '~/server/database/client.server'
import { randomId } from '~/server/database/random-id.server'
import type { ReviewForm } from './review-form-schema'
import { type OwnReviews, reviewFromPercent, type VoteRequirement } from './review-messages'

/** `updateRatings` updates everything else that displays a course's rating, in the same transaction. */
export type ReviewContext = { db: Database; updateRatings: UpdateRatings }

/** Older votes than these are displayed as if they were not given. */
const votesListed = 500

/**
 * Returns the learner's own part of a course's reviews. It is empty for an unknown or unpublished
 * course.
 */
export async function getOwnReviews(
  db: Database,
  uid: string,
  courseId: string,
): Promise<OwnReviews> {
  const {
    rows: [row],
  } = await db.execute<OwnReviews>(sql`
    select
      (${reviewEligibility(uid)}) as eligibility,
      (${missingVoteRequirement(uid)}) as "voteLacks",
      (select json_build_object('id', id, 'rating', rating, 'comment', comment, 'showsName', shows_name,
        'hidden', case when hidden_at is not null then coalesce(hidden_reason, '') end) from reviews where uid = ${uid} and course_id = c.id and removed_at is null) as review,
      (select coalesce(json_object_agg(review_id, helpful), '{}') from (
        select review_id, coalesce(r.helpful, 0) + (
            select count(*) from review_votes every where every.course_id = c.id and every.review_id = mine.review_id
          ) as helpful
        from review_votes mine left join course_reviews r on r.course_id = mine.course_id and r.id = mine.review_id
        where mine.uid = ${uid} and mine.course_id = c.id
        order by mine.created_at desc limit ${votesListed}) latest) as votes
    from courses c where c.id = ${courseId} and c.published`)

  if (!row) {
    return { eligibility: 'not-enrolled', voteLacks: 'enrollment', review: null, votes: {} }
  }

  const { review } = row

  return {
    ...row,
    review: review && {
      ...review,
      hidden: review.hidden === null ? null : hiddenText(review.hidden),
    },
  }
}

const hiddenText = (reason: string) =>
  reason === ''
    ? 'We’ve hidden this review. Only you can see it.'
    : `We’ve hidden this review. Only you can see it. The reason: ${reason}`

/** Selects the requirement that the learner lacks for voting in the course `c`, or null. */
const missingVoteRequirement = (uid: string) => sql`
  select case
    when not exists (select from enrollments where uid = ${uid} and course_id = c.id) then 'enrollment'
    when not exists (select from users where id = ${uid} and email_verified) then 'confirmation' end`

/**
 * Whether the learner may review the course `c`: with a confirmed address, because a rating counts
 * people, and after `reviewFromPercent` of the course, or once it was completed, even if lessons
 * were added since.
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
 * Writes a learner's review of a course, or changes the one there is: one row, however many
 * requests ask. Who has written one may change it also when lessons were added or unmarked since.
 *
 * @returns false when the learner may not review this course, and nothing is stored.
 */
export function recordReview(
  { db, updateRatings }: ReviewContext,
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
    select u.id, c.id, ${randomId()}, ${rating}::int, nullif(${comment}::text, ''), ${showsName}::boolean, ${instant}, ${instant}
    from courses c join users u on u.id = ${uid}
    where c.id = ${courseId} and c.published and ((${reviewEligibility(uid)}) = 'may-review'
      or exists (select from reviews where uid = u.id and course_id = c.id and removed_at is null))
    on conflict (uid, course_id) do update set
      rating = excluded.rating, comment = excluded.comment, shows_name = excluded.shows_name,
      created_at = case when v.removed_at is null then v.created_at else excluded.created_at end,
      updated_at = case when ${changed} or v.removed_at is not null then excluded.updated_at else v.updated_at end,
      removed_at = null
    returning v.updated_at = ${instant} as changed`)

    if (row?.changed) {
      await updateRatings(transaction, [courseId])
    }

    return row !== undefined
  })
}

/**
 * Removes a learner's review with its votes. Idempotent. For a hidden one, a mark stays that it was
 * hidden.
 */
export function removeReview(
  { db, updateRatings }: ReviewContext,
  { uid, courseId }: { uid: string; courseId: string },
): Promise<void> {
  return db.transaction(async (transaction) => {
    const {
      rows: [row],
    } = await transaction.execute<{ changed: boolean }>(sql`
    with hidden as (
      update reviews set removed_at = now(), comment = null, answer = null, answered_at = null
      where uid = ${uid} and course_id = ${courseId} and hidden_at is not null
    ), removed as (
      delete from reviews where uid = ${uid} and course_id = ${courseId} and hidden_at is null returning course_id, id
    ), voided as (
      delete from review_votes v using removed r where v.course_id = r.course_id and v.review_id = r.id
    )
    select exists (select from removed) as changed`)

    if (row?.changed) {
      await updateRatings(transaction, [courseId])
    }
  })
}

type Vote = { uid: string; courseId: string; reviewId: string }

/**
 * `refusal`: the learner lacks something, or there is no such review to be seen, or it is the
 * learner's own.
 */
type VoteResult = { refusal: VoteRequirement | 'not-votable' | null }

/** Counts a learner's 'helpful' for a review of the course's file or of another learner, once. */
export async function recordVote(
  db: Database,
  { uid, courseId, reviewId }: Vote,
): Promise<VoteResult> {
  const {
    rows: [row],
  } = await db.execute<{ found: boolean; lacks: VoteRequirement | null }>(sql`
    with votable as (
      select c.id as course_id, r.id from courses c join course_reviews r on r.course_id = c.id
      where c.id = ${courseId} and c.published and r.id = ${reviewId}
      union all
      select c.id, v.id from courses c join reviews v on v.course_id = c.id
      where c.id = ${courseId} and c.published and v.id = ${reviewId} and v.hidden_at is null and v.uid <> ${uid}
    ), voter as (
      select (${missingVoteRequirement(uid)}) as lacks from courses c where c.id = ${courseId}
    ), voted as (
      insert into review_votes (uid, course_id, review_id)
      select ${uid}, course_id, id from votable join voter on lacks is null
      on conflict do nothing
    )
    select exists (select from votable) as found, (select lacks from voter) as lacks`)

  return { refusal: row?.found ? row.lacks : 'not-votable' }
}

/** Withdraws a vote. Repeating it is harmless. */
export async function removeVote(db: Database, { uid, courseId, reviewId }: Vote): Promise<void> {
  await db.execute(sql`
    delete from review_votes where uid = ${uid} and course_id = ${courseId} and review_id = ${reviewId}`)
}

type StoredReview = {
  id: string
  uid: string
  isHidden: boolean
  hiddenReason: string | null
  answer: string | null
}

/**
 * Locks a learner's review until the transaction ends.
 *
 * @param name the review's ID, or the author's uid unless `isId` is set.
 */
export async function lockReview(
  transaction: Pick<Statements, 'execute'>,
  { courseId, name, isId = false }: { courseId: string; name: string; isId?: boolean },
): Promise<StoredReview | null> {
  const isNamed = isId ? sql`id = ${name}` : sql`(id = ${name} or uid = ${name})`
  const { rows } = await transaction.execute<StoredReview>(sql`
    select id, uid, hidden_at is not null as "isHidden", hidden_reason as "hiddenReason", answer from reviews
    where course_id = ${courseId} and ${isNamed} and removed_at is null for update`)
  return rows[0] ?? null
}

/**
 * Hides a learner's review from everyone but its author, or shows it again.
 *
 * @param name the review's id, or the uid of its author.
 * @param hidden null shows it; otherwise the reason, which the author reads, or ''.
 * @returns the author's uid; null if the course has no review of this name.
 */
export function setReviewHidden(
  { db, updateRatings }: ReviewContext,
  { courseId, name }: { courseId: string; name: string },
  hidden: string | null,
): Promise<{ id: string; uid: string } | null> {
  return db.transaction(async (transaction) => {
    const {
      rows: [review],
    } = await transaction.execute<{ id: string; uid: string }>(sql`
      update reviews set hidden_at = case when ${hidden !== null}::boolean then coalesce(hidden_at, now()) end,
        hidden_reason = nullif(${hidden}::text, '')
      where course_id = ${courseId} and (id = ${name} or uid = ${name}) and removed_at is null returning id, uid`)

    if (review) {
      await updateRatings(transaction, [courseId])
    }

    return review ?? null
  })
}

/** Sets the instructor's answer. */
export async function setReviewAnswer(
  db: Pick<Statements, 'execute'>,
  reviewId: string,
  answer: string | null,
): Promise<void> {
  await db.execute(sql`
    update reviews set answer = ${answer}::text, answered_at = case when ${answer}::text is not null then now() end
    where id = ${reviewId}`)
}

type ListedReview = { id: string; rating: number; hidden: boolean; comment: string | null }

/**
 * Learners' reviews of a course for its operator, hidden ones included, newest first; null for an
 * unknown course.
 */
export async function listReviews(
  db: Database,
  courseId: string,
  limit: number,
): Promise<ListedReview[] | null> {
  const { rows: known } = await db.execute(sql`select from courses where id = ${courseId}`)
  if (known.length === 0) {
    return null
  }

  const { rows } = await db.execute<ListedReview>(sql`
    select id, rating, hidden_at is not null as hidden, comment from reviews
    where course_id = ${courseId} and removed_at is null order by created_at desc, id limit ${limit}`)

  return rows
}

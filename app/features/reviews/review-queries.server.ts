/**
 * Reads and writes a learner's own review of a course, and their votes for other reviews.
 *
 * A change of a review changes the displayed rating of the course. Every function that does so
 * calls `updateRatings` in the same transaction, so that search and public pages are updated.
 */
import { type SQL, sql } from 'drizzle-orm'
import type { UpdateRatings } from '~/features/accounts/own-data/account-deletion.server'
import type { Database } from '~/server/database/client.server'
import { randomId } from '~/server/database/random-id.server'
import type { ReviewForm } from './review-form-schema'
import { type OwnReviews, reviewFromPercent, type VoteRequirement } from './review-messages'

export type ReviewContext = {
  db: Database
  /** Updates everything else that displays the rating of a course. */
  updateRatings: UpdateRatings
}

/** Older votes of the learner still count, but the page does not mark them as the learner's own. */
const maxListedVotes = 500

/**
 * Returns the data about a course's reviews that only the learner sees. For an unknown or
 * unpublished course, the result is that of a learner who is not enrolled.
 */
export async function getOwnReviews(
  db: Database,
  uid: string,
  courseId: string,
): Promise<OwnReviews> {
  const { rows } = await db.execute<OwnReviews>(sql`
    select
      (${selectReviewEligibility(uid)}) as eligibility,
      (${selectMissingVoteRequirement(uid)}) as "voteLacks",
      (
        select json_build_object(
          'id', id,
          'rating', rating,
          'comment', comment,
          'showsName', shows_name,
          'hidden', case when hidden_at is not null then coalesce(hidden_reason, '') end
        )
        from reviews
        where uid = ${uid} and course_id = c.id and removed_at is null
      ) as review,
      (
        select coalesce(json_object_agg(review_id, helpful), '{}')
        from (
          select
            own_vote.review_id,
            coalesce(r.helpful, 0) + (
              select count(*)
              from review_votes v
              where v.course_id = c.id and v.review_id = own_vote.review_id
            ) as helpful
          from review_votes own_vote
          left join course_reviews r
            on r.course_id = own_vote.course_id and r.id = own_vote.review_id
          where own_vote.uid = ${uid} and own_vote.course_id = c.id
          order by own_vote.created_at desc
          limit ${maxListedVotes}
        ) latest_votes
      ) as votes
    from courses c
    where c.id = ${courseId} and c.published`)

  const [ownReviews] = rows
  if (!ownReviews) {
    return { eligibility: 'not-enrolled', voteLacks: 'enrollment', review: null, votes: {} }
  }

  const { review } = ownReviews
  if (review === null || review.hidden === null) {
    return ownReviews
  }

  return { ...ownReviews, review: { ...review, hidden: formatHiddenText(review.hidden) } }
}

function formatHiddenText(reason: string): string {
  return reason === ''
    ? 'We’ve hidden this review. Only you can see it.'
    : `We’ve hidden this review. Only you can see it. The reason: ${reason}`
}

/** Selects the requirement for voting in the course `c` that the learner doesn't meet, or null. */
function selectMissingVoteRequirement(uid: string): SQL {
  return sql`
    select case
      when not exists (
        select from enrollments where uid = ${uid} and course_id = c.id
      ) then 'enrollment'
      when not exists (
        select from users where id = ${uid} and email_verified
      ) then 'confirmation'
    end`
}

/**
 * Selects whether the learner may review the course `c`. The learner needs a confirmed email
 * address, so that each rating is that of one person, and must have finished `reviewFromPercent` of
 * the course. A learner who completed the course may review it even if lessons were added later.
 */
function selectReviewEligibility(uid: string): SQL {
  return sql`
    select case
      when e.uid is null then 'not-enrolled'
      when not exists (select from users where id = ${uid} and email_verified) then 'unconfirmed'
      when e.completed_at is not null
        or p.total_seconds > 0
          and p.done_seconds * 100 >= p.total_seconds * ${reviewFromPercent}::int
      then 'may-review'
      else 'too-early'
    end
    from (select 1) one_row
    left join enrollments e on e.uid = ${uid} and e.course_id = c.id
    left join course_progress p on p.uid = e.uid and p.course_id = e.course_id`
}

/**
 * Writes a learner's review of a course, or changes the existing one. Simultaneous requests create
 * only one review. A learner who has written a review may change it even if lessons were added or
 * unmarked later.
 *
 * @returns false if the learner may not review the course
 */
export function recordReview(
  { db, updateRatings }: ReviewContext,
  { uid, courseId }: { uid: string; courseId: string },
  { rating, comment, showsName }: ReviewForm,
  now: Date,
): Promise<boolean> {
  const timestamp = sql`${now.toISOString()}::timestamptz`
  // The row of a removed review is kept if the review was hidden. Writing again makes the row a new
  // review.
  const isNewReview = sql`v.removed_at is not null`
  const hasChanged = sql`(v.rating, v.comment, v.shows_name)
    is distinct from (excluded.rating, excluded.comment, excluded.shows_name)`

  return db.transaction(async (transaction) => {
    const { rows } = await transaction.execute<{ isChanged: boolean }>(sql`
      insert into reviews as v (
        uid, course_id, id, rating, comment, shows_name, created_at, updated_at
      )
      select
        u.id,
        c.id,
        ${randomId()},
        ${rating}::int,
        nullif(${comment}::text, ''),
        ${showsName}::boolean,
        ${timestamp},
        ${timestamp}
      from courses c
      join users u on u.id = ${uid}
      where c.id = ${courseId}
        and c.published
        and (
          (${selectReviewEligibility(uid)}) = 'may-review'
          or exists (
            select from reviews
            where uid = u.id and course_id = c.id and removed_at is null
          )
        )
      on conflict (uid, course_id) do update
      set
        rating = excluded.rating,
        comment = excluded.comment,
        shows_name = excluded.shows_name,
        created_at = case when ${isNewReview} then excluded.created_at else v.created_at end,
        updated_at = case
          when ${isNewReview} or ${hasChanged} then excluded.updated_at
          else v.updated_at
        end,
        removed_at = null
      returning v.updated_at = ${timestamp} as "isChanged"`)

    const [review] = rows
    if (review?.isChanged) {
      await updateRatings(transaction, [courseId])
    }

    return review !== undefined
  })
}

/**
 * Removes a learner's review with its votes. A second call changes nothing. Of a hidden review, a
 * row without texts is kept, so that the learner's next review of the course is hidden as well.
 */
export function removeReview(
  { db, updateRatings }: ReviewContext,
  { uid, courseId }: { uid: string; courseId: string },
): Promise<void> {
  return db.transaction(async (transaction) => {
    const { rows } = await transaction.execute<{ isDeleted: boolean }>(sql`
      with emptied_review as (
        update reviews
        set removed_at = now(), comment = null, answer = null, answered_at = null
        where uid = ${uid} and course_id = ${courseId} and hidden_at is not null
      ), deleted_review as (
        delete from reviews
        where uid = ${uid} and course_id = ${courseId} and hidden_at is null
        returning course_id, id
      ), deleted_votes as (
        delete from review_votes v
        using deleted_review r
        where v.course_id = r.course_id and v.review_id = r.id
      )
      select exists (select from deleted_review) as "isDeleted"`)

    if (rows[0]?.isDeleted) {
      await updateRatings(transaction, [courseId])
    }
  })
}

type Vote = { uid: string; courseId: string; reviewId: string }

type VoteResult = {
  /**
   * Why the vote was refused, or null if it counts. A review is 'not-votable' if it doesn't exist,
   * is hidden, or is the learner's own.
   */
  refusal: VoteRequirement | 'not-votable' | null
}

/**
 * Stores that a learner found a review helpful: the review of another learner, or one from the
 * course's file. A second vote for the same review changes nothing.
 */
export async function recordVote(
  db: Database,
  { uid, courseId, reviewId }: Vote,
): Promise<VoteResult> {
  const { rows } = await db.execute<{
    isVotable: boolean
    missingRequirement: VoteRequirement | null
  }>(sql`
    with votable_review as (
      select c.id as course_id, r.id
      from courses c
      join course_reviews r on r.course_id = c.id
      where c.id = ${courseId} and c.published and r.id = ${reviewId}
      union all
      select c.id, v.id
      from courses c
      join reviews v on v.course_id = c.id
      where c.id = ${courseId}
        and c.published
        and v.id = ${reviewId}
        and v.hidden_at is null
        and v.uid <> ${uid}
    ), voter as (
      select (${selectMissingVoteRequirement(uid)}) as missing_requirement
      from courses c
      where c.id = ${courseId}
    ), new_vote as (
      insert into review_votes (uid, course_id, review_id)
      select ${uid}, course_id, id
      from votable_review
      join voter on missing_requirement is null
      on conflict do nothing
    )
    select
      exists (select from votable_review) as "isVotable",
      (select missing_requirement from voter) as "missingRequirement"`)

  const [result] = rows
  return { refusal: result?.isVotable ? result.missingRequirement : 'not-votable' }
}

/** Withdraws a vote. A second call changes nothing. */
export async function removeVote(db: Database, { uid, courseId, reviewId }: Vote): Promise<void> {
  await db.execute(sql`
    delete from review_votes
    where uid = ${uid} and course_id = ${courseId} and review_id = ${reviewId}`)
}

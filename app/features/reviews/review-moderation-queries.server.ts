/** Changes the reviews of learners for staff, who hide, show and answer them. */
import { sql } from 'drizzle-orm'
import type { Statements } from '~/server/database/client.server'
import type { ReviewContext } from './review-queries.server'

/** Identifies a review by its ID and not by its author's uid, which would reveal who wrote it. */
export type ReviewReference = { courseId: string; reviewId: string }

type StoredReview = {
  id: string
  uid: string
  isHidden: boolean
  hiddenReason: string | null
  answer: string | null
}

/** Locks a learner's review until the transaction ends. */
export async function lockReview(
  transaction: Pick<Statements, 'execute'>,
  { courseId, reviewId }: ReviewReference,
): Promise<StoredReview | null> {
  const { rows } = await transaction.execute<StoredReview>(sql`
    select
      id,
      uid,
      hidden_at is not null as "isHidden",
      hidden_reason as "hiddenReason",
      answer
    from reviews
    where course_id = ${courseId} and id = ${reviewId} and removed_at is null
    for update`)
  return rows[0] ?? null
}

/**
 * Hides a learner's review from everyone but its author, or shows it again.
 *
 * @param hiddenReason the reason that the author reads, which may be empty. Null shows the review.
 * @returns false if the course has no such review
 */
export function setReviewHidden(
  { db, updateRatings }: ReviewContext,
  { courseId, reviewId }: ReviewReference,
  hiddenReason: string | null,
): Promise<boolean> {
  return db.transaction(async (transaction) => {
    const { rows } = await transaction.execute(sql`
      update reviews
      set
        hidden_at = case
          when ${hiddenReason !== null}::boolean then coalesce(hidden_at, now())
        end,
        hidden_reason = nullif(${hiddenReason}::text, '')
      where course_id = ${courseId} and id = ${reviewId} and removed_at is null
      returning id`)

    const isFound = rows.length > 0
    if (isFound) {
      await updateRatings(transaction, [courseId])
    }

    return isFound
  })
}

/** @param answer the instructor's answer. Null removes it. */
export async function setReviewAnswer(
  db: Pick<Statements, 'execute'>,
  reviewId: string,
  answer: string | null,
): Promise<void> {
  await db.execute(sql`
    update reviews
    set
      answer = ${answer}::text,
      answered_at = case when ${answer}::text is not null then now() end
    where id = ${reviewId}`)
}

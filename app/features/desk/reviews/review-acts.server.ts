import { writeCourseSearch } from '~/features/catalog/search/search-index.server'
import { setReviewHidden } from '~/features/reviews/review-queries.server'
import type { Transaction } from '~/server/database/client.server'
import { StartError } from '~/server/env.server'

const longestReason = 500

/**
 * Hides a learner's review, or shows it again: what `npm run admin` and the desk do.
 *
 * @param place.name the review's ID, or the uid of its author.
 * @param hidden null shows it; otherwise the reason, which the author reads, or ''.
 * @throws {StartError} if there is no such review.
 */
export async function moderateReview(
  transaction: Transaction,
  { courseId, name }: { courseId: string; name: string },
  hidden: string | null,
) {
  const reason = hidden?.trim() ?? null
  if (reason && reason.length > longestReason) throw new StartError('Give a reason of at most 500 characters.')
  const review = await setReviewHidden(
    { db: transaction, ratingsChange: writeCourseSearch },
    { courseId, name },
    reason,
  )
  if (!review) throw new StartError(`The course '${courseId}' has no review with the ID '${name}'.`)
  return {
    subject: review.uid,
    arguments: { course: courseId, review: review.id, ...(reason && { reason }) },
    outcome: reason === null ? 'The review is now visible.' : 'The review is now hidden.',
  }
}

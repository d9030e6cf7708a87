import { writeCourseSearch } from '~/features/catalog/search/search-index.server'
import { closeReports } from '~/features/reviews/reports/report-queries.server'
import {
  lockReview,
  setReviewAnswer,
  setReviewHidden,
} from '~/features/reviews/review-queries.server'
import { changesBetween } from '~/features/staff/audit.server'
import type { Transaction } from '~/server/database/client.server'
import { StartError } from '~/server/env.server'
import { queueMailWith } from '~/server/mail/outbox.server'
import { byCount } from '~/ui/format-count'

/**
 * The acts on reviews, for `npm run admin` and the desk. A refusal is a `StartError` with a
 * sentence.
 */

/** `name` is the review's ID, or the author's uid unless `isId` is set. */
type Place = { courseId: string; name: string; isId?: boolean }

async function requireReview(transaction: Transaction, place: Place) {
  const { courseId, name } = place
  const review = await lockReview(transaction, place)
  if (!review) {
    throw new StartError(`The course '${courseId}' has no review with the ID '${name}'.`)
  }

  return {
    ...review,
    about: { subject: review.uid, arguments: { course: courseId, review: review.id } },
  }
}

const longestReason = 500

/**
 * Hides a review, or shows it again. Either closes the reports about it.
 *
 * @param hidden null shows it; otherwise the reason, which the author reads, or ''.
 */
export async function moderateReview(
  transaction: Transaction,
  place: Place,
  hidden: string | null,
) {
  const reason = hidden?.trim() ?? null
  if (reason && reason.length > longestReason) {
    throw new StartError('Give a reason of at most 500 characters.')
  }

  const { id, about, isHidden, hiddenReason } = await requireReview(transaction, place)
  await setReviewHidden(
    { db: transaction, ratingsChange: writeCourseSearch },
    { courseId: place.courseId, name: id },
    reason,
  )

  await closeReports(transaction, id)

  return {
    ...about,
    changes: changesBetween(
      { isHidden, reason: hiddenReason },
      { isHidden: reason !== null, reason: reason || null },
    ),
    outcome: reason === null ? 'The review is now visible.' : 'The review is now hidden.',
  }
}

/** Closes the reports about a review, and leaves it as it is. */
export async function dismissReports(transaction: Transaction, place: Place) {
  const { id, about } = await requireReview(transaction, place)
  const closed = await closeReports(transaction, id)
  if (closed === 0) {
    throw new StartError('This review has no open reports.')
  }

  return {
    ...about,
    changes: changesBetween({ openReports: closed }, { openReports: 0 }),
    outcome: byCount(
      closed,
      'The report is closed. The review stays.',
      `${closed} reports are closed. The review stays.`,
    ),
  }
}

const longestAnswer = 2000

/**
 * Sets the instructor's answer below a review. The author gets an email about the first one.
 *
 * @param text '' removes the answer.
 */
export async function answerReview(transaction: Transaction, place: Place, text: string) {
  const answer = text.replaceAll('\r\n', '\n').replaceAll('\0', '').trim()
  if (answer.length > longestAnswer) {
    throw new StartError('Give an answer of at most 2,000 characters.')
  }

  const { id, about, isHidden, answer: before } = await requireReview(transaction, place)
  if (isHidden && answer) {
    throw new StartError('The review is hidden, so no one would read the answer.')
  }

  await setReviewAnswer(transaction, id, answer || null)
  if (answer && before === null) {
    await queueMailWith(transaction, about.subject, 'review-answer', { about: id })
  }

  return {
    ...about,
    changes: changesBetween({ answer: before }, { answer: answer || null }),
    outcome: answer ? 'The answer is below the review.' : 'The answer is removed.',
  }
}

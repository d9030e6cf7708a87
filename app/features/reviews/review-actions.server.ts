/** Staff moderate reviews: they hide, show and answer them, and close reports about them. */
import type { UpdateRatings } from '~/features/accounts/own-data/account-deletion.server'
import { changesBetween, type NewAuditEntry } from '~/features/staff/audit.server'
import type { Permission } from '~/features/staff/permissions'
import { maxReasonLength } from '~/features/staff/reason'
import { performStaffAction, type StaffActionContext } from '~/features/staff/staff-action.server'
import { canSeeCourse } from '~/features/staff/visible-courses.server'
import type { Transaction } from '~/server/database/client.server'
import { queueMailWith } from '~/server/mail/outbox.server'
import { failure, type Result, success } from '~/server/result'
import { byCount, formatNumber } from '~/ui/format-count'
import { closeReports } from './reports/report-queries.server'
import { lockReview, setReviewAnswer, setReviewHidden } from './review-queries.server'

/** Identifies a review by its ID. A learner's uid would reveal who wrote an anonymous review. */
export type ReviewInput = { courseId: string; reviewId: string }

/** Actions that change the rating of a course need the function that updates the search. */
type RatingActionContext = StaffActionContext & { updateRatings: UpdateRatings }

type LockedReview = NonNullable<Awaited<ReturnType<typeof lockReview>>>

/** Changes one review of a course that the member of staff may see. */
function changeReview(
  context: StaffActionContext,
  { courseId, reviewId }: ReviewInput,
  definition: { name: string; permission: Permission },
  change: (
    tx: Transaction,
    review: LockedReview,
  ) => Promise<Result<Omit<NewAuditEntry, 'subject' | 'arguments'>>>,
): Promise<Result<NewAuditEntry>> {
  return performStaffAction(context, definition, async (tx) => {
    const isVisible = context.staff === null || canSeeCourse(context.staff, courseId)
    const review = isVisible ? await lockReview(tx, { courseId, name: reviewId, isId: true }) : null
    if (!review) {
      return failure(`The course '${courseId}' has no review with the ID '${reviewId}'.`)
    }

    const result = await change(tx, review)
    if (!result.ok) {
      return result
    }

    return success({
      subject: review.uid,
      arguments: { course: courseId, review: review.id },
      ...result.value,
    })
  })
}

/**
 * Hides a review from everyone but its author, and closes the reports about it.
 *
 * @param submittedReason the author reads it
 */
export function hideReview(
  context: RatingActionContext,
  input: ReviewInput,
  submittedReason: string,
) {
  const definition = { name: 'review hide', permission: 'moderate reviews' } as const

  return changeReview(context, input, definition, async (tx, review) => {
    const reason = submittedReason.trim()
    if (reason === '') {
      return failure('Give a reason for the author to read.')
    }

    if (reason.length > maxReasonLength) {
      return failure(`Give a reason of at most ${maxReasonLength} characters.`)
    }

    await setModeration(tx, context.updateRatings, { ...input, reason })
    return success({
      changes: getModerationChanges(review, reason),
      outcome: 'The review is now hidden.',
    })
  })
}

/** Shows a hidden review again. */
export function showReview(context: RatingActionContext, input: ReviewInput) {
  const definition = { name: 'review show', permission: 'moderate reviews' } as const

  return changeReview(context, input, definition, async (tx, review) => {
    await setModeration(tx, context.updateRatings, { ...input, reason: null })
    return success({
      changes: getModerationChanges(review, null),
      outcome: 'The review is now visible.',
    })
  })
}

/** @param moderation.reason null shows the review */
async function setModeration(
  tx: Transaction,
  updateRatings: UpdateRatings,
  { courseId, reviewId, reason }: ReviewInput & { reason: string | null },
): Promise<void> {
  await setReviewHidden({ db: tx, updateRatings }, { courseId, name: reviewId }, reason)
  await closeReports(tx, reviewId)
}

function getModerationChanges({ isHidden, hiddenReason }: LockedReview, reason: string | null) {
  return changesBetween({ isHidden, reason: hiddenReason }, { isHidden: reason !== null, reason })
}

/** Closes the reports about a review, and leaves the review as it is. */
export function dismissReports(context: StaffActionContext, input: ReviewInput) {
  const definition = { name: 'review dismiss', permission: 'moderate reviews' } as const

  return changeReview(context, input, definition, async (tx, { id }) => {
    const closedCount = await closeReports(tx, id)
    if (closedCount === 0) {
      return failure('This review has no open reports.')
    }

    return success({
      changes: changesBetween({ openReports: closedCount }, { openReports: 0 }),
      outcome: byCount(
        closedCount,
        'The report is closed. The review stays.',
        `${closedCount} reports are closed. The review stays.`,
      ),
    })
  })
}

const maxAnswerLength = 2000

/** Writes the instructor's answer below a review. The author gets an email about the first one. */
export function answerReview(
  context: StaffActionContext,
  input: ReviewInput,
  submittedText: string,
) {
  const definition = { name: 'review answer', permission: 'answer reviews' } as const

  return changeReview(context, input, definition, async (tx, review) => {
    // PostgreSQL can't store NUL characters.
    const answer = submittedText.replaceAll('\r\n', '\n').replaceAll('\0', '').trim()
    if (answer === '') {
      return failure('Write an answer.')
    }

    if (answer.length > maxAnswerLength) {
      return failure(`Give an answer of at most ${formatNumber(maxAnswerLength)} characters.`)
    }

    if (review.isHidden) {
      return failure('The review is hidden, so no one would read the answer.')
    }

    await setReviewAnswer(tx, review.id, answer)
    if (review.answer === null) {
      await queueMailWith(tx, review.uid, 'review-answer', { about: review.id })
    }

    return success({
      changes: changesBetween({ answer: review.answer }, { answer }),
      outcome: 'The answer is below the review.',
    })
  })
}

export function removeAnswer(context: StaffActionContext, input: ReviewInput) {
  const definition = { name: 'review answer', permission: 'answer reviews' } as const

  return changeReview(context, input, definition, async (tx, review) => {
    await setReviewAnswer(tx, review.id, null)
    return success({
      changes: changesBetween({ answer: review.answer }, { answer: null }),
      outcome: 'The answer is removed.',
    })
  })
}

/**
 * Staff moderate reviews: they hide, show and answer them, and close reports about them.
 *
 * Each action checks the permission and that the member of staff may see the course, locks the
 * review, and writes an audit entry in the same transaction.
 */
import type { UpdateRatings } from '~/features/accounts/own-data/account-deletion.server'
import { findChanges, type NewAuditEntry } from '~/features/staff/audit.server'
import type { Permission } from '~/features/staff/permissions'
import { maxReasonLength } from '~/features/staff/reason'
import { performStaffAction, type StaffActionContext } from '~/features/staff/staff-action.server'
import { canSeeCourse } from '~/features/staff/visible-courses.server'
import type { Transaction } from '~/server/database/client.server'
import { queueMailWith } from '~/server/mail/outbox.server'
import { failure, type Result, success } from '~/server/result'
import { byCount, formatNumber } from '~/ui/format-count'
import { closeReports } from './reports/report-queries.server'
import {
  lockReview,
  type ReviewReference,
  setReviewAnswer,
  setReviewHidden,
} from './review-moderation-queries.server'

/**
 * The context of actions that may change the rating of a course, which search and public pages
 * display.
 */
type RatingActionContext = StaffActionContext & { updateRatings: UpdateRatings }

type LockedReview = NonNullable<Awaited<ReturnType<typeof lockReview>>>

/** Locks and changes one review, and returns the audit entry. */
function changeReview(
  context: StaffActionContext,
  { courseId, reviewId }: ReviewReference,
  definition: { name: string; permission: Permission },
  change: (
    tx: Transaction,
    review: LockedReview,
  ) => Promise<Result<Omit<NewAuditEntry, 'subject' | 'arguments'>>>,
): Promise<Result<NewAuditEntry>> {
  return performStaffAction(context, definition, async (tx) => {
    const notFound = failure(`The course '${courseId}' has no review with the ID '${reviewId}'.`)
    // Without a member of staff, an operator acts, who may see every course.
    const isCourseVisible = context.staff === null || canSeeCourse(context.staff, courseId)
    if (!isCourseVisible) {
      return notFound
    }

    const review = await lockReview(tx, { courseId, reviewId })
    if (review === null) {
      return notFound
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
 * @param submittedReason the reason that the author reads
 */
export function hideReview(
  context: RatingActionContext,
  reference: ReviewReference,
  submittedReason: string,
) {
  const definition = { name: 'review hide', permission: 'moderate reviews' } as const

  return changeReview(context, reference, definition, async (tx, review) => {
    const reason = submittedReason.trim()
    if (reason === '') {
      return failure('Give a reason for the author to read.')
    }

    if (reason.length > maxReasonLength) {
      return failure(`Give a reason of at most ${maxReasonLength} characters.`)
    }

    await setHiddenAndCloseReports(tx, context.updateRatings, reference, reason)
    return success({
      changes: getModerationChanges(review, reason),
      outcome: 'The review is now hidden.',
    })
  })
}

/** Shows a hidden review again, and closes the reports about it. */
export function showReview(context: RatingActionContext, reference: ReviewReference) {
  const definition = { name: 'review show', permission: 'moderate reviews' } as const

  return changeReview(context, reference, definition, async (tx, review) => {
    await setHiddenAndCloseReports(tx, context.updateRatings, reference, null)
    return success({
      changes: getModerationChanges(review, null),
      outcome: 'The review is now visible.',
    })
  })
}

/**
 * Hides or shows a review, and closes the reports about it.
 *
 * @param hiddenReason the reason to hide the review, or null to show it
 */
async function setHiddenAndCloseReports(
  tx: Transaction,
  updateRatings: UpdateRatings,
  reference: ReviewReference,
  hiddenReason: string | null,
): Promise<void> {
  await setReviewHidden({ db: tx, updateRatings }, reference, hiddenReason)
  await closeReports(tx, reference.reviewId)
}

/** @param newReason the reason why the review is hidden now, or null if it is visible now */
function getModerationChanges(review: LockedReview, newReason: string | null) {
  return findChanges(
    { isHidden: review.isHidden, reason: review.hiddenReason },
    { isHidden: newReason !== null, reason: newReason },
  )
}

/** Closes the reports about a review, and leaves the review as it is. */
export function dismissReports(context: StaffActionContext, reference: ReviewReference) {
  const definition = { name: 'review dismiss', permission: 'moderate reviews' } as const

  return changeReview(context, reference, definition, async (tx, { id }) => {
    const closedCount = await closeReports(tx, id)
    if (closedCount === 0) {
      return failure('This review has no open reports.')
    }

    return success({
      changes: findChanges({ openReports: closedCount }, { openReports: 0 }),
      outcome: byCount(
        closedCount,
        'The report is closed. The review stays.',
        `${closedCount} reports are closed. The review stays.`,
      ),
    })
  })
}

const maxAnswerLength = 2000

/**
 * Writes the instructor's answer to a review, or replaces it. The author gets an email unless the
 * review had an answer already.
 */
export function answerReview(
  context: StaffActionContext,
  reference: ReviewReference,
  submittedText: string,
) {
  const definition = { name: 'review answer', permission: 'answer reviews' } as const

  return changeReview(context, reference, definition, async (tx, review) => {
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
      await queueMailWith(tx, review.uid, 'review-answer', { topic: review.id })
    }

    return success({
      changes: findChanges({ answer: review.answer }, { answer }),
      outcome: 'The answer is below the review.',
    })
  })
}

/** Removes the instructor's answer to a review. */
export function removeAnswer(context: StaffActionContext, reference: ReviewReference) {
  const definition = { name: 'review answer', permission: 'answer reviews' } as const

  return changeReview(context, reference, definition, async (tx, review) => {
    await setReviewAnswer(tx, review.id, null)
    return success({
      changes: findChanges({ answer: review.answer }, { answer: null }),
      outcome: 'The answer is removed.',
    })
  })
}

import { errorResponse, successResponse } from '~/server/http/form-response.server'
import { readForm } from '~/server/http/request-body.server'
import { checkReview } from './review-form-schema'
import {
  courseReviewsUrl,
  reviewInvitations,
  voteNotPossible,
  voteRequirementTexts,
} from './review-messages'
import {
  getOwnReviews,
  type ReviewContext,
  recordReview,
  recordVote,
  removeReview,
  removeVote,
} from './review-queries.server'

type ReviewChange =
  | { intent: 'save'; courseId: string; values: Record<string, unknown> }
  | { intent: 'remove'; courseId: string }
  | { intent: 'vote' | 'unvote'; courseId: string; reviewId: string }

const idShape = /^[\w-]{1,100}$/

/** Reads the form of a change. @returns null for an invalid form. */
export async function parseReviewChange(request: Request): Promise<ReviewChange | null> {
  const form = await readForm(request)
  if (new Set(form.keys()).size !== [...form.keys()].length) {
    return null
  }

  const { intent, course, review, ...values } = Object.fromEntries(form)
  if (typeof course !== 'string' || !idShape.test(course)) {
    return null
  }

  if (intent === 'save') {
    return review === undefined ? { intent, courseId: course, values } : null
  }

  if (Object.keys(values).length > 0) {
    return null
  }

  if (intent === 'remove') {
    return review === undefined ? { intent, courseId: course } : null
  }

  if (intent !== 'vote' && intent !== 'unvote') {
    return null
  }

  return typeof review === 'string' && idShape.test(review)
    ? { intent, courseId: course, reviewId: review }
    : null
}

/**
 * Makes a learner's change. The learner sees it at once, by the viewer's data; others within a
 * minute. A form that was sent without scripts is led to the course's reviews.
 */
export async function changeReviews(
  rated: ReviewContext,
  uid: string,
  change: ReviewChange,
  now: Date,
) {
  const { db } = rated
  const { courseId } = change
  const page = courseReviewsUrl(courseId)
  const refused = (problem: string, status: number) => errorResponse(problem, { status, page })

  if (change.intent === 'save') {
    const { review, errors } = checkReview(change.values)
    if (errors) {
      return errorResponse(errors, { page })
    }

    if (!(await recordReview(rated, { uid, courseId }, review, now))) {
      const { eligibility } = await getOwnReviews(db, uid, courseId)
      return refused(
        reviewInvitations[eligibility === 'unconfirmed' ? eligibility : 'too-early'],
        403,
      )
    }
  } else if (change.intent === 'remove') {
    await removeReview(rated, { uid, courseId })
  } else if (change.intent === 'unvote') {
    await removeVote(db, { uid, courseId, reviewId: change.reviewId })
  } else {
    const { refusal } = await recordVote(db, { uid, courseId, reviewId: change.reviewId })
    if (refusal === 'not-votable') {
      return refused(voteNotPossible, 404)
    }

    if (refusal !== null) {
      return refused(voteRequirementTexts[refusal], 403)
    }
  }

  return successResponse({}, { page })
}

/**
 * /Reviews: a learner writes, changes or removes their own review of a course, or votes for another
 * review.
 *
 * The learner sees a change at once, because it arrives with the viewer's data. Everyone else sees
 * the change within a minute, when the public page is renewed. A form that was sent without
 * JavaScript redirects to the course's reviews.
 */
import { redirect } from 'react-router'
import { findDemoRefusal } from '~/features/accounts/demo-account.server'
import { findLearner } from '~/features/accounts/session/require-learner.server'
import { writeCourseSearch } from '~/features/catalog/search/search-index.server'
import { checkReview } from '~/features/reviews/review-form-schema'
import {
  courseReviewsUrl,
  reviewInvitations,
  voteRequirementTexts,
} from '~/features/reviews/review-messages'
import {
  getOwnReviews,
  type ReviewContext,
  recordReview,
  recordVote,
  removeReview,
  removeVote,
} from '~/features/reviews/review-queries.server'
import { db } from '~/server/database/client.server'
import { errorResponse, successResponse } from '~/server/http/form-response.server'
import { readForm } from '~/server/http/request-body.server'
import { serverMessages } from '~/server/http/server-messages.server'
import { failedRequestResponse } from '~/ui/form/client-action'
import { refreshViewer } from '~/viewer'
import type { Route } from './+types/reviews'

export async function action({ request }: Route.ActionArgs) {
  const change = await parseReviewChange(request)
  if (!change) {
    return errorResponse(serverMessages.unreadableForm, { plainTextWithoutScript: true })
  }

  const reviewsUrl = courseReviewsUrl(change.courseId)
  const learner = await findLearner(request)
  if (!learner) {
    return redirect(`/Login?${new URLSearchParams({ from: reviewsUrl })}`)
  }

  const demoRefusal = findDemoRefusal(learner.uid, 'review')
  if (demoRefusal) {
    return errorResponse(demoRefusal, { status: 403, plainTextWithoutScript: true })
  }

  return performChange({ db, updateRatings: writeCourseSearch }, learner.uid, change, new Date())
}

/** If the request fails, the page stays as it is, so that the text in the form is not lost. */
export async function clientAction({ serverAction }: Route.ClientActionArgs) {
  try {
    const result = await serverAction()
    if (result.done) {
      await refreshViewer()
    }

    return result
  } catch (error) {
    return failedRequestResponse(error)
  }
}

type ReviewChange =
  | { intent: 'save'; courseId: string; values: Record<string, unknown> }
  | { intent: 'remove'; courseId: string }
  | { intent: 'vote' | 'unvote'; courseId: string; reviewId: string }

const idPattern = /^[\w-]{1,100}$/

/** Reads which change the form asks for. Returns null if the form is invalid. */
async function parseReviewChange(request: Request): Promise<ReviewChange | null> {
  const form = await readForm(request)
  const fieldNames = [...form.keys()]
  const hasDuplicateFields = new Set(fieldNames).size !== fieldNames.length
  if (hasDuplicateFields) {
    return null
  }

  const { intent, course: courseId, review: reviewId, ...values } = Object.fromEntries(form)
  if (!isId(courseId)) {
    return null
  }

  if (intent === 'save') {
    return reviewId === undefined ? { intent, courseId, values } : null
  }

  const hasOtherFields = Object.keys(values).length > 0
  if (hasOtherFields) {
    return null
  }

  switch (intent) {
    case 'remove':
      return reviewId === undefined ? { intent, courseId } : null
    case 'vote':
    case 'unvote':
      return isId(reviewId) ? { intent, courseId, reviewId } : null
    default:
      return null
  }
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && idPattern.test(value)
}

async function performChange(context: ReviewContext, uid: string, change: ReviewChange, now: Date) {
  const { courseId } = change
  const reviewsUrl = courseReviewsUrl(courseId)

  switch (change.intent) {
    case 'save':
      return submitReview(context, { uid, courseId, values: change.values, now })
    case 'remove':
      await removeReview(context, { uid, courseId })
      return successResponse({}, { redirectTo: reviewsUrl })
    case 'vote':
      return submitVote(context, { uid, courseId, reviewId: change.reviewId })
    case 'unvote':
      await removeVote(context.db, { uid, courseId, reviewId: change.reviewId })
      return successResponse({}, { redirectTo: reviewsUrl })
  }
}

type ReviewSubmission = {
  uid: string
  courseId: string
  values: Record<string, unknown>
  now: Date
}

async function submitReview(context: ReviewContext, submission: ReviewSubmission) {
  const { uid, courseId, values, now } = submission
  const reviewsUrl = courseReviewsUrl(courseId)
  const { review, errors } = checkReview(values)
  if (errors) {
    return errorResponse(errors, { plainTextWithoutScript: true })
  }

  const isSaved = await recordReview(context, { uid, courseId }, review, now)
  if (!isSaved) {
    const { eligibility } = await getOwnReviews(context.db, uid, courseId)
    const refusal = eligibility === 'unconfirmed' ? 'unconfirmed' : 'too-early'
    return errorResponse(reviewInvitations[refusal], { status: 403, plainTextWithoutScript: true })
  }

  return successResponse({}, { redirectTo: reviewsUrl })
}

async function submitVote(
  { db }: ReviewContext,
  input: { uid: string; courseId: string; reviewId: string },
) {
  const reviewsUrl = courseReviewsUrl(input.courseId)
  const { refusal } = await recordVote(db, input)
  if (refusal === null) {
    return successResponse({}, { redirectTo: reviewsUrl })
  }

  if (refusal === 'not-votable') {
    return errorResponse(voteNotPossible, { status: 404, plainTextWithoutScript: true })
  }

  return errorResponse(voteRequirementTexts[refusal], { status: 403, plainTextWithoutScript: true })
}

const voteNotPossible = 'You can’t vote on this review: it was deleted, or it’s your own.'

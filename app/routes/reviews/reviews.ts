import { redirect } from 'react-router'
import { findDemoRefusal } from '~/features/accounts/demo-account.server'
import { findLearner } from '~/features/accounts/session/require-learner.server'
import { writeCourseSearch } from '~/features/catalog/search/search-index.server'
import { changeReviews, parseReviewChange } from '~/features/reviews/review-change.server'
import { courseReviewsUrl } from '~/features/reviews/review-messages'
import { db } from '~/server/database/client.server'
import { errorResponse } from '~/server/http/form-response.server'
import { unreadableForm } from '~/server/http/server-messages.server'
import { failedRequestResponse } from '~/ui/form/client-action'
import { refreshViewer } from '~/viewer'
import type { Route } from './+types/reviews'

/**
 * /Reviews: writes, changes or removes the learner's own review, or their vote for another review. A
 * form that was sent without a script leads back to the course's reviews.
 */
export async function action({ request }: Route.ActionArgs) {
  const change = await parseReviewChange(request)
  if (!change) {
    return errorResponse(unreadableForm, { hasNoPage: true })
  }

  const page = courseReviewsUrl(change.courseId)
  const learner = await findLearner(request)
  if (!learner) {
    return redirect(`/Login?${new URLSearchParams({ from: page })}`)
  }

  const demoRefusal = findDemoRefusal(learner.uid, 'review')
  if (demoRefusal) {
    return errorResponse(demoRefusal, { status: 403, hasNoPage: true })
  }

  return changeReviews({ db, updateRatings: writeCourseSearch }, learner.uid, change, new Date())
}

/** If there is no response, the page stays as it is, so that no typed text is lost. */
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

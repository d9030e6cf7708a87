import { redirect } from 'react-router'
import { findLearner } from '~/features/accounts/session/require-learner.server'
import { isCourseId } from '~/features/enrollment/browser-enrollments'
import { wishSignInUrl } from '~/features/enrollment/course-choices'
import { enrollmentMessages } from '~/features/enrollment/enrollment-messages'
import { otherLearnerResponse } from '~/features/enrollment/other-learner-response.server'
import { addWish, removeWish } from '~/features/enrollment/wish-queries.server'
import { db } from '~/server/database/client.server'
import {
  errorResponse,
  isSubmittedWithoutScript,
  successResponse,
} from '~/server/http/form-response.server'
import { readForm } from '~/server/http/request-body.server'
import { serverMessages } from '~/server/http/server-messages.server'
import type { Route } from './+types/wishes'

const wishListPath = '/Profile/current-courses'

/** Opening this URL in a browser leads to the page that shows the wish list. */
export function loader() {
  return redirect(wishListPath)
}

/**
 * Adds a course to the learner's wish list or removes it. Sending the same form again changes
 * nothing. Visitors without a script sign in first.
 */
export async function action({ request }: Route.ActionArgs) {
  const form = await readForm(request)
  const courseId = form.get('courseId')
  const wished = form.get('wished')
  if (!isCourseId(courseId) || (wished !== 'yes' && wished !== 'no')) {
    return errorResponse(enrollmentMessages.noCourseChosen, { plainTextWithoutScript: true })
  }

  const learner = await findLearner(request)
  if (!learner && isSubmittedWithoutScript()) {
    return redirect(wishSignInUrl(`/OneCourse/${courseId}`), 303)
  }

  if (!learner) {
    return errorResponse(serverMessages.signInRequired, { status: 401 })
  }

  const otherLearner = otherLearnerResponse(form, learner.uid)
  if (otherLearner) {
    return otherLearner
  }

  if (wished === 'no') {
    await removeWish(db, learner.uid, courseId)
    return successResponse({}, { redirectTo: wishListPath })
  }

  const outcome = await addWish(db, learner.uid, courseId)
  if (outcome === 'full') {
    return errorResponse(enrollmentMessages.wishListFull, {
      status: 409,
      plainTextWithoutScript: true,
    })
  }

  return successResponse({}, { redirectTo: wishListPath })
}

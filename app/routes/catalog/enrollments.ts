import { redirect } from 'react-router'
import { findLearner } from '~/features/accounts/session/require-learner.server'
import { enrollAndFollowUp } from '~/features/certificates/finished-work.server'
import { isCourseId } from '~/features/enrollment/browser-enrollments'
import { isForSale } from '~/features/enrollment/course-access.server'
import {
  courseGone,
  courseIsSold,
  enrollmentsFull,
  noCourseChosen,
  staysEnrolled,
} from '~/features/enrollment/enrollment-messages'
import {
  leaveCourse,
  listEnrolledCourseIds,
  otherLearnerResponse,
} from '~/features/enrollment/enrollment-queries.server'
import { learnerLimits } from '~/features/enrollment/learner-limits'
import { db } from '~/server/database/client.server'
import { databaseTime } from '~/server/database/database-time.server'
import {
  errorResponse,
  isSubmittedWithoutScript,
  successResponse,
} from '~/server/http/form-response.server'
import { readForm } from '~/server/http/request-body.server'
import { signInFirst } from '~/server/http/server-messages.server'
import type { Route } from './+types/enrollments'

const coursesOfLearner = '/Profile/current-courses'
/** More than a person would choose; forms with more are refused. */
const maxCourses = 200

/** A browser that opens this address is sent to the page that shows the courses. */
export function loader() {
  return redirect(coursesOfLearner)
}

/**
 * Enrolls the learner in the courses of the form, or with `leave` removes the first one.
 * Idempotent. Visitors without a script sign in first.
 */
export async function action({ request }: Route.ActionArgs) {
  const form = await readForm(request)
  const courseIds = chosenCourses(form)
  if (!courseIds) {
    return errorResponse(noCourseChosen, { page: '/AllCourses' })
  }

  const page = `/OneCourse/${courseIds[0]}`
  const learner = await findLearner(request)
  if (!learner && isSubmittedWithoutScript()) {
    return redirect(`/Login?${new URLSearchParams({ from: page })}`)
  }

  if (!learner) {
    return errorResponse(signInFirst, { status: 401 })
  }

  const otherLearner = otherLearnerResponse(form, learner.uid)
  if (otherLearner) {
    return otherLearner
  }

  if (form.get('leave') === 'yes') {
    const outcome = await leaveCourse(db, learner.uid, courseIds[0] ?? '')
    if (outcome === 'kept') {
      return errorResponse(staysEnrolled, { status: 409, page: coursesOfLearner })
    }

    return successResponse({}, { page: coursesOfLearner })
  }

  const enrolled = await enrollAndFollowUp(db, learner.uid, courseIds, await databaseTime(db))
  const missing = enrolled.length < courseIds.length
  if (
    missing &&
    (await listEnrolledCourseIds(db, learner.uid)).length >= learnerLimits.enrollments
  ) {
    return errorResponse(enrollmentsFull, { status: 409, page })
  }

  if (missing && (await isForSale(db, courseIds[0] ?? ''))) {
    const checkout = `/Checkout/${courseIds[0]}`
    return isSubmittedWithoutScript()
      ? redirect(checkout)
      : errorResponse(courseIsSold, { status: 402, page: checkout })
  }

  if (enrolled.length === 0) {
    return errorResponse(courseGone, { status: 404, page })
  }

  return successResponse({}, { page: coursesOfLearner })
}

/** Null if the form names nothing, or something that can't be a course. */
function chosenCourses(form: FormData): string[] | null {
  const values = form.getAll('courseIds')
  const ids = values.filter(isCourseId)
  return ids.length > 0 && ids.length === values.length && ids.length <= maxCourses ? ids : null
}

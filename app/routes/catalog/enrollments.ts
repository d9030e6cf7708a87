import { redirect } from 'react-router'
import { findLearner } from '~/features/accounts/session/require-learner.server'
import { enrollAndReward } from '~/features/certificates/rewards.server'
import { isCourseId } from '~/features/enrollment/browser-enrollments'
import { isForSale } from '~/features/enrollment/course-access.server'
import { enrollmentMessages } from '~/features/enrollment/enrollment-messages'
import { leaveCourse, listEnrolledCourseIds } from '~/features/enrollment/enrollment-queries.server'
import { learnerLimits } from '~/features/enrollment/learner-limits'
import { otherLearnerResponse } from '~/features/enrollment/other-learner-response.server'
import { db } from '~/server/database/client.server'
import { databaseTime } from '~/server/database/database-time.server'
import {
  errorResponse,
  isSubmittedWithoutScript,
  successResponse,
} from '~/server/http/form-response.server'
import { readForm } from '~/server/http/request-body.server'
import { serverMessages } from '~/server/http/server-messages.server'
import type { Route } from './+types/enrollments'

const learnerCoursesPath = '/Profile/current-courses'
/** More courses than anybody chooses at once. A form with more is refused. */
const maxCoursesPerForm = 200

/** Opening this URL in a browser leads to the page that lists the learner's courses. */
export function loader() {
  return redirect(learnerCoursesPath)
}

/**
 * Enrolls the learner in the courses of the form. With the field `leave`, the learner leaves the
 * form's only course instead. Sending the same form again changes nothing. Visitors without a
 * script sign in first.
 */
export async function action({ request }: Route.ActionArgs) {
  const form = await readForm(request)
  const courseIds = parseCourseIds(form)
  if (!courseIds) {
    return errorResponse(enrollmentMessages.noCourseChosen, { plainTextWithoutScript: true })
  }

  const learner = await findLearner(request)
  if (!learner && isSubmittedWithoutScript()) {
    const from = `/OneCourse/${courseIds[0]}`
    return redirect(`/Login?${new URLSearchParams({ from })}`)
  }

  if (!learner) {
    return errorResponse(serverMessages.signInRequired, { status: 401 })
  }

  const otherLearner = otherLearnerResponse(form, learner.uid)
  if (otherLearner) {
    return otherLearner
  }

  if (form.get('leave') === 'yes') {
    return leave(learner.uid, courseIds[0])
  }

  return enroll(learner.uid, courseIds)
}

async function leave(uid: string, courseId: string) {
  const outcome = await leaveCourse(db, uid, courseId)
  if (outcome === 'not-allowed') {
    return errorResponse(enrollmentMessages.staysEnrolled, {
      status: 409,
      plainTextWithoutScript: true,
    })
  }

  return successResponse({}, { redirectTo: learnerCoursesPath })
}

async function enroll(uid: string, courseIds: ChosenCourseIds) {
  const enrolledIds = await enrollAndReward(db, uid, courseIds, await databaseTime(db))
  if (enrolledIds.length < courseIds.length) {
    const refusal = await respondToRefusal(uid, courseIds[0])
    if (refusal) {
      return refusal
    }
  }

  if (enrolledIds.length === 0) {
    return errorResponse(enrollmentMessages.courseGone, {
      status: 404,
      plainTextWithoutScript: true,
    })
  }

  return successResponse({}, { redirectTo: learnerCoursesPath })
}

/** Returns the response for a learner with too many courses or a course that has to be bought. */
async function respondToRefusal(uid: string, courseId: string) {
  const learnerCourseIds = await listEnrolledCourseIds(db, uid)
  if (learnerCourseIds.length >= learnerLimits.enrollments) {
    return errorResponse(enrollmentMessages.enrollmentsFull, {
      status: 409,
      plainTextWithoutScript: true,
    })
  }

  const isCourseForSale = await isForSale(db, courseId)
  if (!isCourseForSale) {
    return null
  }

  const checkoutPath = `/Checkout/${courseId}`
  if (isSubmittedWithoutScript()) {
    return redirect(checkoutPath)
  }

  return errorResponse(enrollmentMessages.courseIsSold, {
    status: 402,
    plainTextWithoutScript: true,
  })
}

type ChosenCourseIds = [string, ...string[]]

/** Returns null if the form has no course, too many, or a value that can't be a course ID. */
function parseCourseIds(form: FormData): ChosenCourseIds | null {
  const values = form.getAll('courseIds')
  const [firstId, ...otherIds] = values.filter(isCourseId)
  if (firstId === undefined) {
    return null
  }

  const courseIds: ChosenCourseIds = [firstId, ...otherIds]
  const isValid = courseIds.length === values.length && courseIds.length <= maxCoursesPerForm
  return isValid ? courseIds : null
}

/** Staff enroll learners in courses and remove them. */
import { changeAccount } from '~/features/staff/account-actions.server'
import { describeUnknownCourses } from '~/features/staff/role-actions.server'
import type { StaffActionContext } from '~/features/staff/staff-action.server'
import type { Transaction } from '~/server/database/client.server'
import { failure, success } from '~/server/result'
import {
  leaveCourse,
  listCourseAvailability,
  listEnrolledCourseIds,
} from './enrollment-queries.server'
import { learnerLimits } from './learner-limits'

type EnrollmentInput = {
  /** The account's email address or uid. */
  account: string
  courseId: string
}

type EnrollmentWithFollowUp = EnrollmentInput & {
  /**
   * Enrolls the learner and does what follows, such as completing a course without open lessons.
   * Later features know what follows, so the caller provides this function.
   *
   * @returns the courses in which the learner is enrolled now
   */
  enroll(
    tx: Transaction,
    uid: string,
    courseIds: readonly string[],
    now: Date,
    options: { granted: boolean },
  ): Promise<string[]>
}

/** Enrolls a learner in a course without payment. */
export function grantEnrollment(
  context: StaffActionContext,
  { account, courseId, enroll }: EnrollmentWithFollowUp,
) {
  const action = { name: 'learner enroll', account, arguments: { course: courseId } }

  return changeAccount(context, action, async (tx, { id: uid }) => {
    const enrolledIds = await enroll(tx, uid, [courseId], context.now, { granted: true })
    if (enrolledIds.includes(courseId)) {
      return success(`Enrolled in ${courseId}.`)
    }

    const currentIds = await listEnrolledCourseIds(tx, uid)
    if (currentIds.length >= learnerLimits.enrollments) {
      return failure(`A learner can be enrolled in at most ${learnerLimits.enrollments} courses.`)
    }

    return failure(describeUnknownCourses([courseId], 'Nothing was changed: no published course'))
  })
}

/** Removes a learner from a course. Their progress counts again if they enroll again. */
export function endEnrollment(context: StaffActionContext, { account, courseId }: EnrollmentInput) {
  const action = { name: 'learner remove', account, arguments: { course: courseId } }

  return changeAccount(context, action, async (tx, { id: uid }) => {
    const enrolledIds = await listEnrolledCourseIds(tx, uid)
    if (!enrolledIds.includes(courseId)) {
      const courses = await listCourseAvailability(tx, [courseId])
      // A mistyped course and a course that the learner has left are different mistakes.
      return failure(
        courses.has(courseId)
          ? `The learner isn’t enrolled in '${courseId}'.`
          : describeUnknownCourses([courseId]),
      )
    }

    const outcome = await leaveCourse(tx, uid, courseId)
    if (outcome === 'kept') {
      return failure(
        'A learner can’t be removed from a course that is completed or whose exam is in progress.',
      )
    }

    return success('The learner is no longer enrolled.')
  })
}

/**
 * Staff enroll a learner in a course, or remove them from it.
 *
 * `changeAccount` checks the permission of the action, runs it in a transaction and writes the
 * audit entry. A problem that the member of staff can correct is returned as a failure, and then
 * nothing is changed.
 */
import { eq } from 'drizzle-orm'
import { type AccountOutcome, changeAccount } from '~/features/staff/account-actions.server'
import { describeUnknownCourses } from '~/features/staff/role-actions.server'
import type { StaffActionContext } from '~/features/staff/staff-action.server'
import type { Transaction } from '~/server/database/client.server'
import { courses } from '~/server/database/schema'
import { failure, type Result, success } from '~/server/result'
import { leaveCourse, listEnrolledCourseIds } from './enrollment-queries.server'
import { learnerLimits } from './learner-limits'

type EnrollmentInput = {
  /** The account's email address or uid. */
  account: string
  courseId: string
}

/**
 * Enrolls a learner, and grants the rewards that are due. A learner who has done all lessons of the
 * course at an earlier time completes it at once.
 *
 * @param options.isFreeOfCharge enrolls without an order, whatever the courses cost
 * @returns the IDs of the given courses in which the learner is enrolled now. They include courses
 *   in which the learner was enrolled already.
 */
type EnrollAndReward = (
  tx: Transaction,
  uid: string,
  courseIds: readonly string[],
  now: Date,
  options: { isFreeOfCharge: boolean },
) => Promise<string[]>

/**
 * Enrolls a learner in a course without payment.
 *
 * @param enrollAndReward is passed in, because enrollment can't import the features that grant
 *   rewards
 */
export function enrollLearnerAsStaff(
  context: StaffActionContext,
  { account, courseId }: EnrollmentInput,
  enrollAndReward: EnrollAndReward,
): Promise<Result<AccountOutcome>> {
  // The audit log lists the action by this name.
  const action = { name: 'learner enroll', account, arguments: { course: courseId } }

  return changeAccount(context, action, async (tx, { id: uid }) => {
    const course = await findCourse(tx, courseId)
    if (course === null) {
      return failure(describeUnpublishedCourse(courseId))
    }

    const enrolledIds = await enrollAndReward(tx, uid, [courseId], context.now, {
      isFreeOfCharge: true,
    })
    if (enrolledIds.includes(courseId)) {
      return success(`Enrolled in ${course.title}.`)
    }

    if (!course.isPublished) {
      return failure(describeUnpublishedCourse(courseId))
    }

    // A published course that costs the learner nothing is refused only because of the limit.
    return failure(`A learner can be enrolled in at most ${learnerLimits.enrollments} courses.`)
  })
}

function describeUnpublishedCourse(courseId: string): string {
  return describeUnknownCourses([courseId], 'Nothing was changed: no published course')
}

/** Removes a learner from a course. Their progress stays, and counts again if they enroll again. */
export function removeLearnerFromCourse(
  context: StaffActionContext,
  { account, courseId }: EnrollmentInput,
): Promise<Result<AccountOutcome>> {
  const action = { name: 'learner remove', account, arguments: { course: courseId } }

  return changeAccount(context, action, async (tx, { id: uid }) => {
    const course = await findCourse(tx, courseId)
    if (course === null) {
      return failure(describeUnknownCourses([courseId]))
    }

    const enrolledIds = await listEnrolledCourseIds(tx, uid)
    if (!enrolledIds.includes(courseId)) {
      return failure(`The learner isn’t enrolled in ${course.title}.`)
    }

    const outcome = await leaveCourse(tx, uid, courseId)
    if (outcome === 'not-allowed') {
      return failure(
        'A learner can’t be removed from a course that is completed or whose exam is in progress.',
      )
    }

    return success('The learner is no longer enrolled.')
  })
}

type Course = { title: string; isPublished: boolean }

async function findCourse(tx: Transaction, courseId: string): Promise<Course | null> {
  const [course] = await tx
    .select({ title: courses.title, isPublished: courses.published })
    .from(courses)
    .where(eq(courses.id, courseId))

  return course ?? null
}

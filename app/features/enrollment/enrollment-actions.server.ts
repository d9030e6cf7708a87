/**
 * Staff enroll a learner in a course, or remove them from it.
 *
 * `changeAccount` checks the permission of the action, runs it in a transaction and writes the audit
 * entry. A problem that the member of staff can correct is returned as a failure, and then
 * nothing is changed.
 */
import { eq } from 'drizzle-orm'
import { changeAccount } from '~/features/staff/account-actions.server'
import { describeUnknownCourses } from '~/features/staff/role-actions.server'
import type { StaffActionContext } from '~/features/staff/staff-action.server'
import type { Transaction } from '~/server/database/client.server'
import { courses } from '~/server/database/schema'
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

/**
 * Enrolls a learner, and grants the rewards that are due, because a course without open lessons is completed
 * at once.
 *
 * @param options.granted enrolls without an order, whatever the courses cost
 * @returns the IDs of the given courses in which the learner is now enrolled
 */
type EnrollAndReward = (
  tx: Transaction,
  uid: string,
  courseIds: readonly string[],
  now: Date,
  options: { granted: boolean },
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
) {
  const action = { name: 'learner enroll', account, arguments: { course: courseId } }

  return changeAccount(context, action, async (tx, { id: uid }) => {
    const enrolledIds = await enrollAndReward(tx, uid, [courseId], context.now, { granted: true })
    if (enrolledIds.includes(courseId)) {
      const title = await findCourseTitle(tx, courseId)
      return success(`Enrolled in ${title}.`)
    }

    const availabilityByCourse = await listCourseAvailability(tx, [courseId])
    if (!availabilityByCourse.get(courseId)?.published) {
      return failure(describeUnknownCourses([courseId], 'Nothing was changed: no published course'))
    }

    return failure(`A learner can be enrolled in at most ${learnerLimits.enrollments} courses.`)
  })
}

/** Removes a learner from a course. Their progress stays, and counts again if they enroll again. */
export function removeLearnerFromCourse(
  context: StaffActionContext,
  { account, courseId }: EnrollmentInput,
) {
  const action = { name: 'learner remove', account, arguments: { course: courseId } }

  return changeAccount(context, action, async (tx, { id: uid }) => {
    const currentCourseIds = await listEnrolledCourseIds(tx, uid)
    if (!currentCourseIds.includes(courseId)) {
      return failure(await describeMissingEnrollment(tx, courseId))
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

/** Returns why a learner can't be removed: the course is unknown, or the learner isn't enrolled in it. */
async function describeMissingEnrollment(tx: Transaction, courseId: string): Promise<string> {
  const title = await findCourseTitle(tx, courseId)
  return title === null
    ? describeUnknownCourses([courseId])
    : `The learner isn’t enrolled in ${title}.`
}

async function findCourseTitle(tx: Transaction, courseId: string): Promise<string | null> {
  const [course] = await tx
    .select({ title: courses.title })
    .from(courses)
    .where(eq(courses.id, courseId))

  return course?.title ?? null
}

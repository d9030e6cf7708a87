import { listCourseAvailability } from '~/features/courses/course-lookup.server'
import { changeAccount } from '~/features/staff/account-actions.server'
import { describeUnknownCourses } from '~/features/staff/role-actions.server'
import type { StaffActionContext } from '~/features/staff/staff-action.server'
import { failure, success } from '~/server/result'
import { byCount } from '~/ui/format-count'
import { excuseAttempts } from './attempt-queries.server'

type AttemptsInput = {
  /** The account's email address or uid. */
  account: string
  courseId: string
}

/** Lets a learner take the exam again right away. Earlier results stay. */
export function giveAttemptsBack(
  context: StaffActionContext,
  { account, courseId }: AttemptsInput,
) {
  const action = { name: 'learner reset-attempts', account, arguments: { course: courseId } }

  return changeAccount(context, action, async (tx, { id: uid }) => {
    const excusedCount = await excuseAttempts(tx, uid, courseId, context.now)
    if (excusedCount > 0) {
      return success(
        byCount(
          excusedCount,
          '1 attempt no longer counts toward the limit.',
          `${excusedCount} attempts no longer count toward the limit.`,
        ),
      )
    }

    const courses = await listCourseAvailability(tx, [courseId])
    return failure(
      courses.has(courseId)
        ? `The learner has no attempt to give back in '${courseId}'.`
        : describeUnknownCourses([courseId]),
    )
  })
}

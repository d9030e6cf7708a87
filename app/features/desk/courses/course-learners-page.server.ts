import { listAccountNames } from '~/features/accounts/account-queries.server'
import { listCourseLearners } from '~/features/profile/learner-courses.server'
import { findVisibleCourseTitle } from '~/features/staff/visible-courses.server'
import { rowsPerPage } from '~/server/database/list-pages.server'
import type { DeskRequest } from '../desk-request.server'

export type CourseLearnersPageData = NonNullable<Awaited<ReturnType<typeof loadCourseLearnersPage>>>

const maxUidLength = 200

/** Loads a page of the learners of a course, with their progress. */
export async function loadCourseLearnersPage({ db, staff, params, search }: DeskRequest) {
  const courseId = params.course ?? ''
  const title = await findVisibleCourseTitle(db, staff, courseId)
  if (title === null) {
    return null
  }

  const previousUid = (search.get('after') ?? '').slice(0, maxUidLength)
  // One learner more than a page shows tells whether there is a next page.
  const learners = await listCourseLearners(db, courseId, previousUid, rowsPerPage + 1)
  const learnersOnPage = learners.slice(0, rowsPerPage)
  const hasNextPage = learners.length > rowsPerPage

  const uids = learnersOnPage.map(({ uid }) => uid)
  const names = await listAccountNames(db, uids)
  const rows = learnersOnPage.map((learner) => {
    const { firstName = '', lastName = '', email = '' } = names.get(learner.uid) ?? {}
    return {
      ...learner,
      name: `${firstName} ${lastName}`.trim(),
      email: staff.seesLearnerEmails ? email : null,
    }
  })

  const next = hasNextPage ? (uids.at(-1) ?? null) : null

  return { course: { id: courseId, title }, rows, next }
}

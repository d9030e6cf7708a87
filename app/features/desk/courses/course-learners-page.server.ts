import { listAccountNames } from '~/features/accounts/account-administration.server'
import { listCourseLearners } from '~/features/profile/progress-report.server'
import { pageRows } from '~/server/database/list-pages.server'
import type { DeskRequest } from '../desk-request.server'
import { findCourseTitle } from './course-title.server'
import { seesCourse } from './own-courses.server'

export async function loadCourseLearnersPage({ db, staff, params, search }: DeskRequest) {
  const id = params.course ?? ''
  const title = seesCourse(staff, id) ? await findCourseTitle(db, id) : null
  if (title === null) {
    return null
  }

  const after = (search.get('after') ?? '').slice(0, 200)
  const found = await listCourseLearners(db, id, after, pageRows + 1)
  const shown = found.slice(0, pageRows)
  const names = await listAccountNames(
    db,
    shown.map(({ uid }) => uid),
  )
  const rows = shown.map((learner) => {
    const { firstName = '', lastName = '', email = '' } = names.get(learner.uid) ?? {}
    return {
      ...learner,
      name: `${firstName} ${lastName}`.trim(),
      email: staff.seesAddresses ? email : null,
    }
  })
  const next = found.length > pageRows ? (shown.at(-1)?.uid ?? null) : null

  return { course: { id, title }, rows, next }
}

export type CourseLearnersPageData = NonNullable<Awaited<ReturnType<typeof loadCourseLearnersPage>>>

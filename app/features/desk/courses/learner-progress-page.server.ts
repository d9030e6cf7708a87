import { findUser } from '~/features/accounts/account-queries.server'
import { findProgressReport } from '~/features/profile/progress-report.server'
import { hasPermission } from '~/features/staff/permissions'
import { recordOpened } from '~/features/staff/record-opened.server'
import type { DeskRequest } from '../desk-request.server'
import { findCourseTitle } from './course-title.server'
import { seesCourse } from './own-courses.server'

/** Why somebody is where they are in a course. */
export async function loadLearnerProgressPage({ db, staff, params, now }: DeskRequest) {
  const id = params.course ?? ''
  if (!seesCourse(staff, id)) {
    return null
  }

  const [title, user] = await Promise.all([findCourseTitle(db, id), findUser(db, params.uid ?? '')])
  const report = title !== null && user && (await findProgressReport(db, user.id, id, now))
  if (!report) {
    return null
  }

  await recordOpened(db, staff.uid, user.id)
  const { figures, lessons, exam, missing } = report

  return {
    course: { id, title },
    learner: { uid: user.id, name: user.name, email: staff.seesAddresses ? user.email : null },
    leadsToPerson: hasPermission(staff, 'see people'),
    figures,
    lessons,
    missing,
    attempts: exam?.attempts ?? [],
    nextAttemptAt: exam?.nextAttemptAt ?? null,
  }
}

export type LearnerProgressPageData = NonNullable<
  Awaited<ReturnType<typeof loadLearnerProgressPage>>
>

import { findUser } from '~/features/accounts/account-queries.server'
import { findProgressReport } from '~/features/profile/progress-report.server'
import { may } from '~/features/staff/permissions'
import { recordOpened } from '~/features/staff/record-opened.server'
import { deskPage } from '../desk-page.server'
import { findCourseTitle } from './course-title.server'
import { seesCourse } from './own-courses.server'

/** Why somebody is where they are in a course. */
export const learnerProgressPage = deskPage({
  path: 'Courses/:course/Learners/:uid',
  permission: 'see courses',
  async load({ db, staff, params, now }) {
    const id = params.course ?? ''
    if (!seesCourse(staff, id)) {
      return null
    }

    const [title, user] = await Promise.all([
      findCourseTitle(db, id),
      findUser(db, params.uid ?? ''),
    ])
    const report = title !== null && user && (await findProgressReport(db, user.id, id, now))
    if (!report) {
      return null
    }

    await recordOpened(db, staff.uid, user.id)
    const { figures, lessons, exam, missing } = report

    return {
      course: { id, title },
      learner: { uid: user.id, name: user.name, email: staff.seesAddresses ? user.email : null },
      leadsToPerson: may(staff, 'see people'),
      figures,
      lessons,
      missing,
      attempts: exam?.attempts ?? [],
      nextAttemptAt: exam?.nextAttemptAt ?? null,
    }
  },
})

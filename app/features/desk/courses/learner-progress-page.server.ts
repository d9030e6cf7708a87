import { findUser } from '~/features/accounts/account-queries.server'
import { findProgressReport } from '~/features/profile/progress-report.server'
import { recordAccountView } from '~/features/staff/audit.server'
import { hasPermission } from '~/features/staff/permissions'
import { findVisibleCourseTitle } from '~/features/staff/visible-courses.server'
import type { DeskRequest } from '../desk-request.server'

export type LearnerProgressPageData = NonNullable<
  Awaited<ReturnType<typeof loadLearnerProgressPage>>
>

/** Loads the progress of a learner in a course, with the reason for each lesson's status. */
export async function loadLearnerProgressPage({ db, staff, params, now }: DeskRequest) {
  const courseId = params.course ?? ''
  const [title, user] = await Promise.all([
    findVisibleCourseTitle(db, staff, courseId),
    findUser(db, params.uid ?? ''),
  ])
  if (title === null || !user) {
    return null
  }

  const report = await findProgressReport(db, user.id, courseId, now)
  if (!report) {
    return null
  }

  await recordAccountView(db, staff.uid, user.id)

  const { figures, lessons, exam, missing } = report

  return {
    course: { id: courseId, title },
    learner: { uid: user.id, name: user.name, email: staff.seesLearnerEmails ? user.email : null },
    canSeePerson: hasPermission(staff, 'see people'),
    progress: figures,
    lessons,
    missing,
    attempts: exam?.attempts ?? [],
    nextAttempt: exam && {
      at: exam.nextAttemptAt,
      isOpen: exam.openAttemptId !== null,
      remaining: exam.remainingAttempts,
    },
  }
}

import { hasExam } from '~/features/exams/exam-preview.server'
import { openPreview } from '~/features/learning/lessons/lesson-screen.server'
import type { DeskRequest } from '../desk-request.server'
import { seesCourse } from './own-courses.server'

/** A lesson as a newly enrolled learner sees it. No learner's progress is read or stored. */
export async function loadCoursePreviewPage({ db, staff, params, now }: DeskRequest) {
  const { course = '', lesson = '' } = params
  const opened = seesCourse(staff, course) ? await openPreview(db, course, lesson, now) : null
  return opened && { ...opened, hasExam: await hasExam(db, course) }
}

export type CoursePreviewPageData = NonNullable<Awaited<ReturnType<typeof loadCoursePreviewPage>>>

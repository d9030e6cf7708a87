import { openExamPreview } from '~/features/exams/exam-preview.server'
import type { DeskRequest } from '../desk-request.server'
import { findCourseTitle } from './course-title.server'
import { seesCourse } from './own-courses.server'

/** The questions of a course's exam. Like the lessons' preview, it only reads. */
export async function loadExamPreviewPage({ db, staff, params: { course = '' } }: DeskRequest) {
  const title = seesCourse(staff, course) ? await findCourseTitle(db, course) : null
  const preview = title === null ? null : await openExamPreview(db, course)
  return preview && title !== null ? { course: { id: course, title }, ...preview } : null
}

export type ExamPreviewPageData = NonNullable<Awaited<ReturnType<typeof loadExamPreviewPage>>>

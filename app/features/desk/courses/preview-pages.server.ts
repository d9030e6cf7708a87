/** Previews of a course's lessons and exam. They read and store no learner's progress. */
import { findExamPreview, hasExam } from '~/features/exams/result/result-queries.server'
import { loadLessonPreview } from '~/features/learning/lessons/load-lesson-page.server'
import { canSeeCourse, findVisibleCourseTitle } from '~/features/staff/visible-courses.server'
import type { DeskRequest } from '../desk-request.server'

export type CoursePreviewPageData = NonNullable<Awaited<ReturnType<typeof loadCoursePreviewPage>>>

/** Loads a lesson as a newly enrolled learner sees it. Returns null if there is no such lesson. */
export async function loadCoursePreviewPage({ db, staff, params, now }: DeskRequest) {
  const { course: courseId = '', lesson: lessonId = '' } = params
  if (!canSeeCourse(staff, courseId)) {
    return null
  }

  const preview = await loadLessonPreview(db, courseId, lessonId, now)
  if (preview === null) {
    return null
  }

  return { ...preview, hasExam: await hasExam(db, courseId) }
}

export type ExamPreviewPageData = NonNullable<Awaited<ReturnType<typeof loadExamPreviewPage>>>

/** Loads the questions of a course's exam. Returns null if there is no such exam. */
export async function loadExamPreviewPage({ db, staff, params }: DeskRequest) {
  const courseId = params.course ?? ''
  const title = await findVisibleCourseTitle(db, staff, courseId)
  if (title === null) {
    return null
  }

  const preview = await findExamPreview(db, courseId)
  return preview && { course: { id: courseId, title }, ...preview }
}

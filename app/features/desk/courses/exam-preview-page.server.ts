import { openExamPreview } from '~/features/exams/exam-preview.server'
import { deskPage } from '../desk-page.server'
import { findCourseTitle } from './course-title.server'
import { seesCourse } from './own-courses.server'
import { previewExam, previewPath } from './preview-address'

/** The questions of a course's exam. Like the lessons' preview, it only reads. */
export const examPreviewPage = deskPage({
  path: `${previewPath}/:course/${previewExam}`,
  permission: 'see courses',
  async load({ db, staff, params: { course = '' } }) {
    const title = seesCourse(staff, course) ? await findCourseTitle(db, course) : null
    const preview = title === null ? null : await openExamPreview(db, course)
    return preview && title !== null ? { course: { id: course, title }, ...preview } : null
  },
})

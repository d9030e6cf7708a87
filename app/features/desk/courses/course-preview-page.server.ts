import { hasExam } from '~/features/exams/exam-preview.server'
import { openPreview } from '~/features/learning/lessons/lesson-screen.server'
import { deskPage } from '../desk-page.server'
import { seesCourse } from './own-courses.server'
import { previewPath } from './preview-address'

/** A lesson as a newly enrolled learner sees it. No learner's progress is read or stored. */
export const coursePreviewPage = deskPage({
  path: `${previewPath}/:course/:lesson`,
  permission: 'see courses',
  async load({ db, staff, params, now }) {
    const { course = '', lesson = '' } = params
    const opened = seesCourse(staff, course) ? await openPreview(db, course, lesson, now) : null
    return opened && { ...opened, hasExam: await hasExam(db, course) }
  },
})

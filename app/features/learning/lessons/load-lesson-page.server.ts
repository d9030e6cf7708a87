import { sql } from 'drizzle-orm'
import { data, redirect } from 'react-router'
import { findCurrentIds } from '~/features/courses/content/content-renames.server'
import { signMediaUrl } from '~/features/courses/content/course-media.server'
import type { Database } from '~/server/database/client.server'
import { parseNoteChoice } from '../notes/note-form'
import type { LearnerLesson } from '../progress/lesson-progress'
import { progressMessages } from '../progress/progress-messages'
import { openLessonVisit } from '../report/lesson-report.server'
import { loadMaterial } from './kinds/lesson-materials.server'
import { lessonMessages } from './lesson-messages'
import {
  findCourseAccess,
  findLessonPage,
  findLessonPreview,
  findLessonToContinue,
} from './lesson-queries.server'
import type { LessonRefusal } from './lesson-refusal-notice'

/** Without a lesson id, the URL leads to the lesson with which the learner continues. */
type RequestedLesson = { uid: string; courseId: string; lessonId?: string }

/**
 * Loads the page of a lesson and opens a visit, to which the progress reports of the page belong.
 *
 * @throws a redirect or a 404 response if the learner may not see the lesson
 */
export async function loadLessonPage(
  db: Database,
  { uid, courseId, lessonId }: RequestedLesson,
  searchParams: URLSearchParams,
  now: Date,
) {
  if (!lessonId) {
    const nextLessonId = await findLessonToContinue(db, uid, courseId)
    if (nextLessonId) {
      throw redirect(`/Learn/${courseId}/${nextLessonId}`)
    }

    throw await lessonUnavailableResponse(db, uid, courseId)
  }

  const learnerLesson = { uid, courseId, lessonId }
  const storedLesson = await findLessonPage(db, learnerLesson, parseNoteChoice(searchParams))
  if (!storedLesson) {
    throw await lessonUnavailableResponse(db, uid, courseId, lessonId)
  }

  const { page } = storedLesson
  const material = await loadMaterial(page.lesson.kind, storedLesson.material, now)
  const visit = await openLessonVisit(learnerLesson, page.lesson.durationSeconds * 1000, now)

  return { page, material, visit }
}

/**
 * Loads a lesson as a newly enrolled learner sees it, for staff. The preview has no visit, so it
 * can't report any progress.
 */
export async function loadLessonPreview(
  db: Database,
  courseId: string,
  lessonId: string,
  now: Date,
) {
  const storedLesson = await findLessonPreview(db, courseId, lessonId)
  if (!storedLesson) {
    return null
  }

  const { page } = storedLesson
  const material = await loadMaterial(page.lesson.kind, storedLesson.material, now)
  const downloads = await Promise.all(
    page.lesson.downloads.map(({ file }) => signDownload(courseId, file, now)),
  )

  return { page, material, downloads }
}

/**
 * Returns the response for a lesson that the viewer can't open: a redirect to the lesson's new URL
 * or to the course page, which says why, or a 404 response.
 *
 * @param uid null for a visitor
 */
export async function lessonUnavailableResponse(
  db: Database,
  uid: string | null,
  courseId: string,
  lessonId?: string,
) {
  const currentIds = await findCurrentIds(db, courseId, lessonId)
  if (currentIds) {
    const url = ['/Learn', currentIds.courseId, currentIds.lessonId].filter(Boolean).join('/')
    return redirect(url, 301)
  }

  const access = await findCourseAccess(db, uid, courseId)
  if (!access || (!access.published && !access.enrolled)) {
    return data(progressMessages.courseNotFound, { status: 404 })
  }

  if (uid === null) {
    return redirectToCourse(courseId, 'sign-in')
  }

  if (!access.enrolled) {
    return redirectToCourse(courseId, 'enroll')
  }

  const anyLessonId = await findLessonToContinue(db, uid, courseId)
  if (!anyLessonId) {
    return redirectToCourse(courseId, 'no-material')
  }

  return data(lessonMessages.lessonNotFound.sentence, { status: 404 })
}

function redirectToCourse(courseId: string, refusal: LessonRefusal) {
  return redirect(`/OneCourse/${courseId}?why=${refusal}`)
}

/**
 * Returns the signed URL of a file that a lesson offers, or null if the learner is not enrolled or
 * the lesson doesn't have the file.
 */
export async function findDownload(
  db: Database,
  { uid, courseId, lessonId }: LearnerLesson,
  file: string,
  now: Date,
): Promise<string | null> {
  const { rows } = await db.execute(sql`
    select 1
    from course_lessons l
    join enrollments e on e.uid = ${uid} and e.course_id = l.course_id
    where l.course_id = ${courseId} and l.id = ${lessonId}
      and l.downloads @> ${JSON.stringify([{ file }])}::jsonb`)

  return rows.length > 0 ? signDownload(courseId, file, now) : null
}

function signDownload(courseId: string, file: string, now: Date): Promise<string> {
  return signMediaUrl(`/media/courses/${courseId}/downloads/${file}`, now)
}

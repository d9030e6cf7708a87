import { sql } from 'drizzle-orm'
import { data, redirect } from 'react-router'
import { findCurrentIds } from '~/features/courses/content/content-renames.server'
import { signMediaUrl } from '~/features/courses/content/course-media.server'
import type { Database } from '~/server/database/client.server'
import { parseNoteChoice } from '../notes/note-form'
import { courseNotFound } from '../progress/course-work-messages'
import type { LearnerLesson } from '../progress/record-progress.server'
import { openLessonVisit } from '../report/lesson-report.server'
import { loadMaterial } from './kinds/lesson-materials.server'
import type { LessonRefusal } from './learn-notice'
import { lessonNotFound } from './lesson-messages'
import {
  findCourseAccess,
  findLessonPage,
  findLessonPreview,
  findLessonToContinue,
} from './lesson-queries.server'

/** Without a lesson, the address means the next one to learn. */
type Wanted = { uid: string; courseId: string; lessonId?: string }

/**
 * The data of a lesson's screen.
 *
 * @param search of the address.
 * @throws a redirect, or 404, if the viewer may not see the lesson.
 */
export async function loadLessonPage(
  db: Database,
  { uid, courseId, lessonId }: Wanted,
  search: URLSearchParams,
  now: Date,
) {
  if (!lessonId) {
    const next = await findLessonToContinue(db, uid, courseId)
    throw next
      ? redirect(`/Learn/${courseId}/${next}`)
      : await lessonUnavailableResponse(db, uid, courseId)
  }

  const place = { uid, courseId, lessonId }
  const found = await findLessonPage(db, place, parseNoteChoice(search))
  if (!found) {
    throw await lessonUnavailableResponse(db, uid, courseId, lessonId)
  }

  const visit = await openLessonVisit(place, found.page.lesson.durationSeconds * 1000, now)

  return { ...(await openMaterial(found, now)), visit }
}

/**
 * The preview for staff: a lesson as a newly enrolled learner sees it. It can't report any
 * progress.
 */
export async function loadLessonPreview(
  db: Database,
  courseId: string,
  lessonId: string,
  now: Date,
) {
  const found = await findLessonPreview(db, courseId, lessonId)
  if (!found) {
    return null
  }

  const { downloads } = found.page.lesson
  const signed = downloads.map(({ file }) => signDownload(courseId, file, now))

  return { ...(await openMaterial(found, now)), downloads: await Promise.all(signed) }
}

async function openMaterial(
  { page, material }: NonNullable<Awaited<ReturnType<typeof findLessonPage>>>,
  now: Date,
) {
  return { page, material: await loadMaterial(page.lesson.kind, material, now) }
}

/** @param uid null for a visitor. */
export async function lessonUnavailableResponse(
  db: Database,
  uid: string | null,
  courseId: string,
  lessonId?: string,
) {
  const moved = await findCurrentIds(db, courseId, lessonId)
  if (moved) {
    return redirect(['/Learn', moved.courseId, moved.lessonId].filter(Boolean).join('/'), 301)
  }

  const access = await findCourseAccess(db, uid, courseId)
  if (!access || (!access.published && !access.enrolled)) {
    return data(courseNotFound, { status: 404 })
  }

  const to = (why: LessonRefusal) => redirect(`/OneCourse/${courseId}?why=${why}`)
  if (uid === null) {
    return to('sign-in')
  }

  if (!access.enrolled) {
    return to('enroll')
  }

  const anyLesson = await findLessonToContinue(db, uid, courseId)

  return anyLesson ? data(lessonNotFound.sentence, { status: 404 }) : to('no-material')
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

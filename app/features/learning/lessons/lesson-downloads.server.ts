import { sql } from 'drizzle-orm'
import { signMediaAddress } from '~/features/courses/content/course-media.server'
import type { Database } from '~/server/database/client.server'
import type { LearnerLesson } from '../progress/record-progress.server'

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

export function signDownload(courseId: string, file: string, now: Date): Promise<string> {
  return signMediaAddress(`/media/courses/${courseId}/downloads/${file}`, now)
}

import { and, eq, sql } from 'drizzle-orm'
import type { Database } from '~/server/database/client.server'
import { notes } from '~/server/database/schema'
import type { LessonAddress } from '../progress/lesson-work-queries.server'

/**
 * Keeps a note, new or changed. The browser made its id, so that a note sent twice is one; an id that somebody else has
 * is another note, as the learner is part of the key.
 *
 * @returns false if the learner is not enrolled or the lesson has no such place.
 */
export async function recordNote(
  db: Database,
  { uid, courseId, lessonId }: LessonAddress,
  note: { id: string; positionMs: number; body: string },
): Promise<boolean> {
  const rows = await db.execute(sql`
    insert into notes (uid, id, course_id, lesson_id, position_ms, body)
    select ${uid}::text, ${note.id}::text, l.course_id, l.id, least(${note.positionMs}::int, l.duration_seconds * 1000), ${note.body}::text
    from course_lessons l join enrollments e on e.uid = ${uid} and e.course_id = l.course_id
    where l.course_id = ${courseId} and l.id = ${lessonId}
    on conflict (uid, id) do update set body = excluded.body, updated_at = now()
    returning id`)
  return rows.length > 0
}

/** Deleting twice is deleting once. */
export async function deleteNote(db: Database, uid: string, id: string): Promise<void> {
  await db.delete(notes).where(and(eq(notes.uid, uid), eq(notes.id, id)))
}

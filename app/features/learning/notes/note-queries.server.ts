import { and, eq, sql } from 'drizzle-orm'
import { lockCourseProgress } from '~/features/enrollment/learner-locks.server'
import type { Database } from '~/server/database/client.server'
import { isoText } from '~/server/database/database-time.server'
import { notes } from '~/server/database/schema/index'
import type { LessonNote, NotesPage } from '../lessons/lesson-page-data'
import { noteRendering, renderNote, renderPlain } from '../markdown.server'
import type { LearnerLesson } from '../progress/record-progress.server'
import { type NoteChoice, noteLimits, notesAPage } from './note-form'

/** Why a note was not saved. */
export type NoteRefusal = 'not-enrolled' | 'full' | 'too-long-when-shown'

/**
 * Saves a note, new or changed, and renders it once, so that reading it costs nothing. The browser
 * makes the id, so a repeated request stores one note. The learner is part of the key, so equal ids
 * of two learners don't collide.
 *
 * @returns null once it is saved; `not-enrolled` also if the course has no such lesson.
 */
export async function recordNote(
  db: Database,
  { uid, courseId, lessonId }: LearnerLesson,
  note: { id: string; positionMs: number; body: string },
): Promise<NoteRefusal | null> {
  const html = renderNote(note.body)
  if (html === null) {
    return 'too-long-when-shown'
  }

  return db.transaction(async (transaction) => {
    // One after the other, so that each sees how many there are.
    await lockCourseProgress(transaction, uid, courseId)
    const {
      rows: [row],
    } = await transaction.execute<{ enrolled: boolean; saved: boolean }>(sql`
      with place as (
        select l.course_id, l.id, l.duration_seconds
        from course_lessons l join enrollments e on e.uid = ${uid} and e.course_id = l.course_id
        where l.course_id = ${courseId} and l.id = ${lessonId}
      ), saved as (
        insert into notes (uid, id, course_id, lesson_id, position_ms, body, html, rendering)
        select ${uid}::text, ${note.id}::text, course_id, id, least(${note.positionMs}::int, duration_seconds * 1000),
          ${note.body}::text, ${html}::text, ${noteRendering}::int
        from place
        where exists (select from notes where uid = ${uid} and id = ${note.id})
          or (select count(*) from notes where uid = ${uid} and course_id = ${courseId}) < ${noteLimits.ofCourse}::int
        on conflict (uid, id) do update
          set body = excluded.body, html = excluded.html, rendering = excluded.rendering, updated_at = now()
        returning id
      )
      select exists (select from place) as enrolled, exists (select from saved) as saved`)

    if (!row?.enrolled) {
      return 'not-enrolled'
    }

    return row.saved ? null : 'full'
  })
}

/** Repeating it is harmless. */
export async function deleteNote(db: Database, uid: string, id: string): Promise<void> {
  await db.delete(notes).where(and(eq(notes.uid, uid), eq(notes.id, id)))
}

/**
 * A page ends before the note with which it would have more characters of text and HTML; one that
 * is longer stands alone.
 */
const pageLength = 30_000

type StoredNote = LessonNote & { rendering: number }
export type StoredNotes = Omit<NotesPage, 'list'> & { list: StoredNote[] }

/** A page of a learner's notes, as a part of a query: JSON like `StoredNotes`. */
export function notesPageRows(
  { uid, courseId, lessonId }: LearnerLesson,
  { scope, from }: NoteChoice,
) {
  return sql`
    with mine as (
      select n.*, l.title, row_number() over (order by l.position, n.position_ms, n.created_at, n.id) as place
      from notes n join course_lessons l on l.course_id = n.course_id and l.id = n.lesson_id
      where n.uid = ${uid} and n.course_id = ${courseId}
        and (${scope}::text = 'course' or n.lesson_id = ${lessonId})
    ), page as (
      select *, sum(length(html) + length(body)) over (order by place) as length_so_far
      from mine where place > ${from}::int and place <= ${from}::int + ${notesAPage}::int
    )
    select json_build_object(
      'scope', ${scope}::text, 'from', ${from}::int,
      'total', (select count(*)::int from mine),
      'inLesson', (select count(*)::int from notes
        where uid = ${uid} and course_id = ${courseId} and lesson_id = ${lessonId}),
      'inCourse', (select count(*)::int from notes where uid = ${uid} and course_id = ${courseId}),
      'list', (select coalesce(json_agg(json_build_object('id', id, 'lessonId', lesson_id, 'lessonTitle', title,
        'positionMs', position_ms, 'body', body, 'html', html, 'rendering', rendering,
        'updatedAt', ${isoText(sql`updated_at`)}
      ) order by place), '[]') from page where length_so_far <= ${pageLength}::int or place = ${from}::int + 1))`
}

/** Renders notes again that an earlier version of the product rendered. */
export function withCurrentHtml({ rendering, ...note }: StoredNote): LessonNote {
  return rendering === noteRendering
    ? note
    : { ...note, html: renderNote(note.body) ?? renderPlain(note.body) }
}

import { and, eq, sql } from 'drizzle-orm'
import { lockCourseProgress } from '~/features/enrollment/learner-locks.server'
import type { Database } from '~/server/database/client.server'
import { isoText } from '~/server/database/database-time.server'
import { notes } from '~/server/database/schema/index'
import type { LessonNote, NotesPage } from '../lessons/lesson-page-data'
import { noteHtmlVersion, renderNote, renderPlainText } from '../markdown.server'
import type { LearnerLesson } from '../progress/lesson-progress'
import { type NoteChoice, noteLimits, notesPerPage } from './note-form'

/** The reason why a note was not saved. */
export type NoteRefusal = 'not-enrolled' | 'full' | 'too-long-as-html'

/**
 * Saves a new or changed note together with its HTML, so that displaying the note renders nothing.
 *
 * The browser creates the id of a note, so a repeated request stores one note. The uid is a part of
 * the key, so notes of two learners may have the same id.
 *
 * @returns null if the note was saved; `not-enrolled` also if the course doesn't have the lesson
 */
export async function recordNote(
  db: Database,
  { uid, courseId, lessonId }: LearnerLesson,
  note: { id: string; positionMs: number; body: string },
): Promise<NoteRefusal | null> {
  const html = renderNote(note.body)
  if (html === null) {
    return 'too-long-as-html'
  }

  return db.transaction(async (transaction) => {
    // Without the lock, notes that are saved at the same time could exceed the limit.
    await lockCourseProgress(transaction, uid, courseId)
    const {
      rows: [row],
    } = await transaction.execute<{ isEnrolled: boolean; isSaved: boolean }>(sql`
      with enrolled_lesson as (
        select l.course_id, l.id, l.duration_seconds
        from course_lessons l
        join enrollments e on e.uid = ${uid} and e.course_id = l.course_id
        where l.course_id = ${courseId} and l.id = ${lessonId}
      ), saved_note as (
        insert into notes (uid, id, course_id, lesson_id, position_ms, body, html, rendering)
        select
          ${uid}::text,
          ${note.id}::text,
          course_id,
          id,
          least(${note.positionMs}::int, duration_seconds * 1000),
          ${note.body}::text,
          ${html}::text,
          ${noteHtmlVersion}::int
        from enrolled_lesson
        where
          exists (select from notes where uid = ${uid} and id = ${note.id})
          or (
            select count(*) from notes where uid = ${uid} and course_id = ${courseId}
          ) < ${noteLimits.perCourse}::int
        on conflict (uid, id) do update
        set
          body = excluded.body,
          html = excluded.html,
          rendering = excluded.rendering,
          updated_at = now()
        returning id
      )
      select
        exists (select from enrolled_lesson) as "isEnrolled",
        exists (select from saved_note) as "isSaved"`)

    if (!row?.isEnrolled) {
      return 'not-enrolled'
    }

    return row.isSaved ? null : 'full'
  })
}

/** Deletes a note. Deleting a note that doesn't exist changes nothing. */
export async function deleteNote(db: Database, uid: string, id: string): Promise<void> {
  await db.delete(notes).where(and(eq(notes.uid, uid), eq(notes.id, id)))
}

/**
 * The number of characters of text and HTML up to which a page takes further notes. A note that is
 * longer than this has a page of its own.
 */
const maxPageLength = 30_000

type StoredNote = LessonNote & { rendering: number }
export type StoredNotes = Omit<NotesPage, 'list'> & { list: StoredNote[] }

/** Returns a subquery for a page of a learner's notes: a JSON object of the type `StoredNotes`. */
export function selectNotesPage(
  { uid, courseId, lessonId }: LearnerLesson,
  { scope, from }: NoteChoice,
) {
  return sql`
    with notes_in_scope as (
      select
        n.*,
        l.title,
        row_number() over (order by l.position, n.position_ms, n.created_at, n.id) as row_number
      from notes n
      join course_lessons l on l.course_id = n.course_id and l.id = n.lesson_id
      where n.uid = ${uid} and n.course_id = ${courseId}
        and (${scope}::text = 'course' or n.lesson_id = ${lessonId})
    ), page as (
      select
        *,
        sum(length(html) + length(body)) over (order by row_number) as length_so_far
      from notes_in_scope
      where row_number > ${from}::int and row_number <= ${from}::int + ${notesPerPage}::int
    )
    select json_build_object(
      'scope', ${scope}::text,
      'from', ${from}::int,
      'total', (select count(*)::int from notes_in_scope),
      'inLesson', (
        select count(*)::int
        from notes
        where uid = ${uid} and course_id = ${courseId} and lesson_id = ${lessonId}),
      'inCourse', (
        select count(*)::int from notes where uid = ${uid} and course_id = ${courseId}),
      'list', (
        select coalesce(
          json_agg(
            json_build_object(
              'id', id,
              'lessonId', lesson_id,
              'lessonTitle', title,
              'positionMs', position_ms,
              'body', body,
              'html', html,
              'rendering', rendering,
              'updatedAt', ${isoText(sql`updated_at`)})
            order by row_number),
          '[]')
        from page
        where length_so_far <= ${maxPageLength}::int or row_number = ${from}::int + 1))`
}

/** Returns a note, rendered again if its HTML is from an earlier version of the renderer. */
export function renderOutdatedHtml({ rendering, ...note }: StoredNote): LessonNote {
  if (rendering === noteHtmlVersion) {
    return note
  }

  return { ...note, html: renderNote(note.body) ?? renderPlainText(note.body) }
}

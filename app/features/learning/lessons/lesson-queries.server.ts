import { type SQL, sql } from 'drizzle-orm'
import {
  getDownloadKind,
  selectDownloadSummary,
} from '~/features/courses/content/download-files.server'
import type { StoredMaterial } from '~/features/courses/lessons/lesson-format.server'
import type { Database } from '~/server/database/client.server'
import type { NoteChoice } from '../notes/note-form'
import { renderOutdatedHtml, type StoredNotes, selectNotesPage } from '../notes/note-queries.server'
import { emptyProgress, type LearnerLesson } from '../progress/lesson-progress'
import { questionId } from '../progress/question-id.server'
import {
  type ProgressRow,
  progressColumns,
  toLessonProgress,
} from '../progress/stored-progress.server'
import { restartWithinSeconds } from './kinds/video/video-rules'
import type { LessonPageData, OpenLesson, RetiredLesson, SectionEntry } from './lesson-page-data'

/**
 * Returns everything that the page of a lesson displays for an enrolled learner, in one query.
 *
 * @returns null if there is no such lesson or the learner is not enrolled in its course
 */
export async function findLessonPage(
  db: Database,
  learnerLesson: LearnerLesson,
  noteChoice: NoteChoice,
): Promise<{ page: LessonPageData; material: StoredMaterial } | null> {
  return findPage(db, learnerLesson, noteChoice, sql`join`)
}

/**
 * Returns a lesson as a newly enrolled learner sees it, for staff. Without a lesson of this id, the
 * first lesson of the course is returned.
 *
 * @returns null if the course has no material
 */
export async function findLessonPreview(db: Database, courseId: string, lessonId: string) {
  const {
    rows: [lesson],
  } = await db.execute<{ id: string }>(sql`
    select id
    from counting_lessons
    where course_id = ${courseId}
    order by id <> ${lessonId}, position
    limit 1`)

  if (!lesson) {
    return null
  }

  // No learner has the empty uid, so the lesson has no progress.
  const newLearnerLesson = { uid: '', courseId, lessonId: lesson.id }
  return findPage(db, newLearnerLesson, { scope: 'lesson', from: 0 }, sql`left join`)
}

type LessonRow = Omit<OpenLesson, 'progress' | 'questionIds' | 'downloads'> & {
  downloads: Omit<OpenLesson['downloads'][number], 'kind'>[]
}

type PageRow = {
  course: LessonPageData['course']
  sections: SectionEntry[]
  retired: RetiredLesson[]
  lesson: LessonRow
  material: StoredMaterial
  progress: ProgressRow | null
  notes: StoredNotes
}

/**
 * Reads the page of a lesson.
 *
 * @param joinEnrollment an inner join, or a left join for staff, who need not be enrolled
 */
async function findPage(
  db: Database,
  { uid, courseId, lessonId }: LearnerLesson,
  noteChoice: NoteChoice,
  joinEnrollment: SQL,
) {
  const {
    rows: [row],
  } = await db.execute<PageRow>(sql`
    select
      json_build_object(
        'id', c.id,
        'title', c.title,
        'completedAt', e.completed_at,
        'certificateWaits', e.certificate_waits_since is not null,
        'certificate', (
          select json_build_object('id', r.id, 'revoked', r.revoked_at is not null)
          from certificates
          join certificate_register r using (id)
          where certificates.uid = e.uid and certificates.course_id = c.id)
      ) as course,
      (${selectSections(uid, courseId)}) as sections,
      (
        select coalesce(
          json_agg(json_build_object('id', r.id, 'title', r.title) order by r.title), '[]')
        from course_lessons r
        join lesson_progress d
          on d.uid = ${uid} and d.course_id = r.course_id and d.lesson_id = r.id
        where r.course_id = c.id and r.retired and d.done
      ) as retired,
      json_build_object(
        'id', l.id,
        'title', l.title,
        'kind', l.kind,
        'durationSeconds', l.duration_seconds,
        'done', coalesce(p.done, false),
        'retired', l.retired,
        'downloads', l.downloads,
        'sectionTitle', s.title
      ) as lesson,
      json_build_object(
        'video', l.video, 'article', l.article, 'questions', l.questions
      ) as material,
      case when p.uid is not null then (
        select to_json(stored) from (select ${progressColumns}) stored
      ) end as progress,
      (${selectNotesPage({ uid, courseId, lessonId }, noteChoice)}) as notes
    from course_lessons l
    join courses c on c.id = l.course_id
    ${joinEnrollment} enrollments e on e.uid = ${uid} and e.course_id = c.id
    left join course_sections s on s.course_id = l.course_id and s.id = l.section_id
    left join lesson_progress p
      on p.uid = ${uid} and p.course_id = l.course_id and p.lesson_id = l.id
    where l.course_id = ${courseId} and l.id = ${lessonId}`)

  return row ? toLessonPage(row) : null
}

/** Returns a subquery for the curriculum of a course: a JSON array of `SectionEntry`. */
function selectSections(uid: string, courseId: string): SQL {
  return sql`
    select coalesce(
      json_agg(
        json_build_object(
          'id', s.id,
          'title', s.title,
          'lectures', s.lectures,
          'lessons', (
            select coalesce(
              json_agg(
                json_build_object(
                  'id', l.id,
                  'title', l.title,
                  'kind', l.kind,
                  'durationSeconds', l.duration_seconds,
                  'done', coalesce(p.done, false),
                  'bookmarked', b.uid is not null,
                  'downloads', (${selectDownloadSummary(sql`l.downloads`)}))
                order by l.position),
              '[]')
            from course_lessons l
            left join lesson_progress p
              on p.uid = ${uid} and p.course_id = l.course_id and p.lesson_id = l.id
            left join bookmarks b
              on b.uid = ${uid} and b.course_id = l.course_id and b.lesson_id = l.id
            where l.course_id = s.course_id and l.section_id = s.id and not l.retired))
        order by s.position),
      '[]')
    from course_sections s
    where s.course_id = ${courseId}`
}

function toLessonPage({ course, sections, retired, lesson, material, progress, notes }: PageRow) {
  const openLesson: OpenLesson = {
    ...lesson,
    questionIds: (material.questions ?? []).map(({ question }) => questionId(question)),
    downloads: lesson.downloads.map((download) => ({
      ...download,
      kind: getDownloadKind(download.file).name,
    })),
    progress: progress ? toLessonProgress(progress) : emptyProgress,
  }
  const notesPage = { ...notes, list: notes.list.map(renderOutdatedHtml) }

  return {
    page: { course, sections, retired, lesson: openLesson, notes: notesPage },
    material,
  }
}

/**
 * Returns the id of the lesson with which a learner continues a course.
 *
 * This is the lesson that they last worked on, if it is not done. Otherwise it is the next lesson
 * after it that is not done, or the first one.
 *
 * @returns null if the learner is not enrolled or the course has no material
 */
export async function findLessonToContinue(
  db: Database,
  uid: string,
  courseId: string,
): Promise<string | null> {
  const {
    rows: [row],
  } = await db.execute<{ next: { id: string } | null }>(sql`
    select (${lessonToContinueQuery}) as next
    from enrollments e
    where e.uid = ${uid} and e.course_id = ${courseId}`)

  return row?.next?.id ?? null
}

/**
 * A subquery for the lesson with which a learner continues: a JSON object with its id, its title
 * and the position at which its video resumes. The outer query must have a row `enrollments e`.
 */
export const lessonToContinueQuery = sql`
  with lessons as (
    select
      l.id,
      l.title,
      l.position,
      l.duration_seconds,
      coalesce(p.done, false) as done,
      p.position_ms,
      greatest(p.position_at, p.marked_at, p.earned_at) as worked_at
    from counting_lessons l
    left join lesson_progress p
      on p.uid = e.uid and p.course_id = l.course_id and p.lesson_id = l.id
    where l.course_id = e.course_id
  ), latest as (
    select position
    from lessons
    where worked_at is not null
    order by worked_at desc
    limit 1
  )
  select json_build_object(
    'id', id,
    'title', title,
    'positionMs', case
      when done or position_ms > (duration_seconds - ${restartWithinSeconds}) * 1000 then 0
      else coalesce(position_ms, 0)
    end)
  from lessons
  order by done, position < coalesce((select position from latest), 0), position
  limit 1`

/** Returns whether the course is published and whether the learner is enrolled in it. */
export async function findCourseAccess(db: Database, uid: string | null, courseId: string) {
  const {
    rows: [row],
  } = await db.execute<{ published: boolean; enrolled: boolean }>(sql`
    select
      published,
      exists (select from enrollments where uid = ${uid} and course_id = c.id) as enrolled
    from courses c
    where id = ${courseId}`)

  return row ?? null
}

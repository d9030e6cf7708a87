import { sql } from 'drizzle-orm'
import type { Database, Transaction } from '~/server/database/client.server'
import * as tables from '~/server/database/schema'
import { upsertRows } from '~/server/database/upsert-rows.server'
import { StartError } from '~/server/env.server'
import type { CourseOutline } from './course-folder.server'

type Asking = Pick<Transaction, 'execute'>

export type MovedLesson = { courseId: string; alias: string; lessonId: string }

/**
 * Moves learners' work to a lesson's new ID, all of it. Features implement it, because they know
 * their tables.
 */
export type MoveLessonProgress = (transaction: Transaction, lesson: MovedLesson) => Promise<void>

/**
 * Finds lessons and courses with progress that the content no longer has, mostly because their id
 * was changed.
 *
 * @param read the courses that may have changed.
 * @param ids of all courses.
 * @returns a sentence each, with the way to preserve the progress.
 */
export async function listRemovalWarnings(
  db: Asking,
  read: readonly CourseOutline[],
  ids: readonly string[],
): Promise<string[]> {
  const courses = read.map((course) => ({
    ids: [course.id, ...course.aliases],
    lessons: course.lessons.flatMap((lesson) => [lesson.id, ...lesson.aliases]),
  }))
  const kept = sql`${JSON.stringify(courses)}::text::jsonb`
  const { rows: lessons } = await db.execute<{
    course: string
    id: string
    title: string
    learners: number
  }>(sql`
    with kept as (select jsonb_array_elements_text(c -> 'ids') as id, c -> 'lessons' as lessons from jsonb_array_elements(${kept}) c)
    select l.course_id as course, l.id, l.title, (
      select count(*)::int from (
        select uid from lesson_progress w where (w.course_id, w.lesson_id) = (l.course_id, l.id)
        union select uid from notes w where (w.course_id, w.lesson_id) = (l.course_id, l.id)
        union select uid from bookmarks w where (w.course_id, w.lesson_id) = (l.course_id, l.id)
      ) work) as learners
    from course_lessons l join kept k on k.id = l.course_id
    where not l.retired and not k.lessons ? l.id order by l.course_id, l.position`)
  const names = sql.param([...ids, ...read.flatMap(({ aliases }) => aliases)])
  const { rows: gone } = await db.execute<{ id: string; title: string; learners: number }>(sql`
    select c.id, c.title, (select count(*)::int from enrollments e where e.course_id = c.id) as learners
    from courses c where c.published and not c.id = any(${names}::text[]) order by c.id`)

  return [
    ...gone
      .filter(({ learners }) => learners > 0)
      .map(
        ({ id, learners }) =>
          `The course \`${id}\` (${counted(learners)}) is gone. If you renamed it, add \`aliases: [${id}]\` to the course.yaml of its new folder.`,
      ),
    ...lessons.filter(({ learners }) => learners > 0).map((lesson) => goneLesson(read, lesson)),
  ]
}

function goneLesson(
  read: readonly CourseOutline[],
  { course, id, title, learners }: { course: string; id: string; title: string; learners: number },
): string {
  const now = read.find((entry) => entry.id === course || entry.aliases.includes(course))
  const twin = now?.lessons.find((lesson) => lesson.title === title)
  const place = twin
    ? `the lesson \`${twin.id}\`, which has the same title,`
    : 'the lesson that replaced it'

  return `courses/${now?.id ?? course}/course.yaml: The lesson \`${id}\` (${counted(learners)}) is gone. If you renamed it, add \`aliases: [${id}]\` to ${place} so they keep their work.`
}

function counted(learners: number): string {
  return learners === 1 ? '1 learner' : `${learners} learners`
}

/**
 * The learners with any work or order in the course `c`, also after leaving it. Orders stay without
 * their learner.
 */
const ownRows = sql.join(
  [
    sql`select coalesce(uid, id) as uid from ${tables.orders} where course_id = c.id`,
    ...[
      tables.enrollments,
      tables.certificates,
      tables.reviews,
      tables.wishes,
      tables.examAttempts,
      tables.lessonProgress,
      tables.notes,
      tables.bookmarks,
      tables.practiceCards,
    ].map((table) => sql`select uid from ${table} where course_id = c.id`),
  ],
  sql` union all `,
)

/**
 * Gives courses their new ids, before they are stored: every row that names them follows.
 *
 * @throws {StartError} when learners are enrolled under both ids, which cannot be one enrollment.
 */
export async function renameCourses(
  transaction: Transaction,
  read: readonly CourseOutline[],
): Promise<void> {
  const names = sql.param(read.flatMap(({ aliases }) => aliases))
  const { rows: former } = await transaction.execute<{ id: string }>(
    sql`select id from courses where id = any(${names}::text[])`,
  )
  const isStored = new Set(former.map(({ id }) => id))
  for (const { id, aliases } of read) {
    for (const alias of aliases.filter((name) => isStored.has(name))) {
      const { rows } = await transaction.execute<{ id: string; learners: number }>(sql`
        select c.id, (select count(distinct uid)::int from (${ownRows}) work) as learners
        from courses c where c.id in (${id}, ${alias}) order by c.id for update`)
      const [before, after] = [
        rows.find((row) => row.id === alias),
        rows.find((row) => row.id === id),
      ]
      if (!before) {
        continue
      }

      if (after && after.learners > 0 && before.learners > 0) {
        throw new StartError(
          `The content can’t be loaded, so nothing was changed:\n  courses/${id}/course.yaml: ${counted(before.learners)} began the course as \`${alias}\` and ${counted(after.learners)} as \`${id}\`. Delete the alias: two courses that both have learners can’t be merged.`,
        )
      }

      if (after && after.learners > 0) {
        continue
      }

      if (after) {
        await transaction.execute(sql`
          insert into staff_courses (uid, course_id) select uid, ${alias} from staff_courses where course_id = ${id}
          on conflict do nothing`)
        await transaction.execute(sql`delete from courses where id = ${id}`)
      }

      await transaction.execute(sql`update courses set id = ${id} where id = ${alias}`)
      await transaction.execute(sql`
        update coupons set course_ids = array_replace(course_ids, ${alias}, ${id}) where ${alias} = any(course_ids)`)
      await transaction.execute(sql`
        update activities set id = regexp_replace(id, ${`:${alias}(:|$)`}, ${`:${id}\\1`})
        where id ~ ${`^(enrollment|completed|certificate|lesson):${alias}(:|$)`}`)
    }
  }
}

/** Moves progress to the lessons' new ids, after these are stored, and records the old ids. */
export async function moveProgressToNewIds(
  transaction: Transaction,
  read: readonly CourseOutline[],
  ids: readonly string[],
  moveWork: MoveLessonProgress,
): Promise<void> {
  const lessons = read.flatMap((course) =>
    course.lessons.flatMap(({ id, aliases }) =>
      aliases.map((alias) => ({ courseId: course.id, alias, lessonId: id })),
    ),
  )
  const courses = read.flatMap(({ id, aliases }) =>
    aliases.map((alias) => ({ alias, courseId: id })),
  )
  const [unread, changed] = [new Set(ids), sql.param(read.map(({ id }) => id))]
  for (const { id } of read) {
    unread.delete(id)
  }

  for (const table of [tables.lessonAliases, tables.courseAliases]) {
    await transaction
      .delete(table)
      .where(sql`not course_id = any(${sql.param([...unread])}::text[])`)
  }

  await upsertRows(transaction, tables.lessonAliases, lessons)
  await upsertRows(transaction, tables.courseAliases, courses)
  // The lock lets no late report come in between.
  const { rows: old } = await transaction.execute<MovedLesson>(sql`
    select a.course_id as "courseId", a.alias, a.lesson_id as "lessonId"
    from lesson_aliases a join course_lessons l on l.course_id = a.course_id and l.id = a.alias
    where a.course_id = any(${changed}::text[]) for update of l`)
  for (const lesson of old) {
    await moveWork(transaction, lesson)
    await transaction.execute(
      sql`delete from course_lessons where course_id = ${lesson.courseId} and id = ${lesson.alias}`,
    )
  }
}

/**
 * The current address of a course or lesson with a former id (`aliases`).
 *
 * @returns null if neither id is a former one.
 */
export async function findCurrentIds(
  db: Pick<Database, 'execute'>,
  courseId: string,
  lessonId = '',
): Promise<{ courseId: string; lessonId: string } | null> {
  const {
    rows: [moved],
  } = await db.execute<{ courseId: string; lessonId: string }>(sql`
    with course as (select coalesce((select course_id from course_aliases where alias = ${courseId}), ${courseId}) as id)
    select c.id as "courseId", coalesce(
      (select a.lesson_id from lesson_aliases a where a.course_id = c.id and a.alias = ${lessonId}), ${lessonId}) as "lessonId"
    from course c`)

  return moved && (moved.courseId !== courseId || moved.lessonId !== lessonId) ? moved : null
}

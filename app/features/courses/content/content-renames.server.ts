import { sql } from 'drizzle-orm'
import type { Database, Transaction } from '~/server/database/client.server'
import * as tables from '~/server/database/schema'
import { upsertRows } from '~/server/database/upsert-rows.server'
import { StartError } from '~/server/env.server'
import type { CourseOutline } from './course-folder.server'

type QueryRunner = Pick<Transaction, 'execute'>

export type MovedLesson = { courseId: string; alias: string; lessonId: string }

/**
 * Moves everything that learners have done in a lesson to the lesson's new ID. The features pass
 * this function in, because only they know their tables.
 */
export type MoveLessonProgress = (transaction: Transaction, lesson: MovedLesson) => Promise<void>

/**
 * Warns about lessons and courses that learners have progress in, but that the content no longer
 * has. The usual cause is a changed ID.
 *
 * @param outlines the courses that may have changed
 * @param ids the IDs of all courses
 * @returns one sentence per lesson or course, which says how to preserve the progress
 */
export async function listRemovalWarnings(
  db: QueryRunner,
  outlines: readonly CourseOutline[],
  ids: readonly string[],
): Promise<string[]> {
  const contentCourses = outlines.map((course) => ({
    ids: [course.id, ...course.aliases],
    lessons: course.lessons.flatMap((lesson) => [lesson.id, ...lesson.aliases]),
  }))
  const kept = sql`${JSON.stringify(contentCourses)}::text::jsonb`
  const { rows: removedLessons } = await db.execute<{
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

  const idsAndAliases = sql.param([...ids, ...outlines.flatMap(({ aliases }) => aliases)])
  const { rows: removedCourses } = await db.execute<{
    id: string
    title: string
    learners: number
  }>(sql`
    select c.id, c.title, (select count(*)::int from enrollments e where e.course_id = c.id) as learners
    from courses c where c.published and not c.id = any(${idsAndAliases}::text[]) order by c.id`)

  return [
    ...removedCourses
      .filter(({ learners }) => learners > 0)
      .map(
        ({ id, learners }) =>
          `The course \`${id}\` (${formatLearnerCount(learners)}) is gone. If you renamed it, add \`aliases: [${id}]\` to the course.yaml of its new folder.`,
      ),
    ...removedLessons
      .filter(({ learners }) => learners > 0)
      .map((lesson) => formatRemovedLesson(outlines, lesson)),
  ]
}

function formatRemovedLesson(
  outlines: readonly CourseOutline[],
  { course, id, title, learners }: { course: string; id: string; title: string; learners: number },
): string {
  const outline = outlines.find((entry) => entry.id === course || entry.aliases.includes(course))
  const lessonWithSameTitle = outline?.lessons.find((lesson) => lesson.title === title)
  const replacement = lessonWithSameTitle
    ? `the lesson \`${lessonWithSameTitle.id}\`, which has the same title,`
    : 'the lesson that replaced it'

  return `courses/${outline?.id ?? course}/course.yaml: The lesson \`${id}\` (${formatLearnerCount(learners)}) is gone. If you renamed it, add \`aliases: [${id}]\` to ${replacement} so they keep their work.`
}

function formatLearnerCount(learners: number): string {
  return learners === 1 ? '1 learner' : `${learners} learners`
}

/**
 * Selects everyone who has done or ordered something in the course `c`, including those who have
 * left it. An order whose account was deleted counts as one learner.
 */
const courseLearners = sql.join(
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
 * Gives courses their new IDs, before the courses are stored. Every row that refers to a course by
 * its previous ID is updated.
 *
 * @throws {StartError} if both IDs have learners, because their progress can't be merged
 */
export async function renameCourses(
  transaction: Transaction,
  outlines: readonly CourseOutline[],
): Promise<void> {
  const aliases = sql.param(outlines.flatMap((outline) => outline.aliases))
  const { rows: aliasCourses } = await transaction.execute<{ id: string }>(
    sql`select id from courses where id = any(${aliases}::text[])`,
  )
  const storedAliases = new Set(aliasCourses.map(({ id }) => id))

  for (const outline of outlines) {
    for (const alias of outline.aliases) {
      if (storedAliases.has(alias)) {
        await renameCourse(transaction, { id: outline.id, alias })
      }
    }
  }
}

/** Renames one stored course, unless only the course with the new ID has learners. */
async function renameCourse(
  transaction: Transaction,
  { id, alias }: { id: string; alias: string },
): Promise<void> {
  const { rows: courses } = await transaction.execute<{ id: string; learners: number }>(sql`
    select c.id, (select count(distinct uid)::int from (${courseLearners}) work) as learners
    from courses c where c.id in (${id}, ${alias}) order by c.id for update`)
  const previousCourse = courses.find((course) => course.id === alias)
  const currentCourse = courses.find((course) => course.id === id)
  if (!previousCourse) {
    return
  }

  if (currentCourse && currentCourse.learners > 0) {
    if (previousCourse.learners > 0) {
      throw new StartError(
        `The content can’t be loaded, so nothing was changed:\n  courses/${id}/course.yaml: ${formatLearnerCount(previousCourse.learners)} began the course as \`${alias}\` and ${formatLearnerCount(currentCourse.learners)} as \`${id}\`. Delete the alias: two courses that both have learners can’t be merged.`,
      )
    }

    return
  }

  if (currentCourse) {
    await deleteCourseWithoutLearners(transaction, { id, alias })
  }

  await transaction.execute(sql`update courses set id = ${id} where id = ${alias}`)
  await transaction.execute(sql`
    update coupons set course_ids = array_replace(course_ids, ${alias}, ${id}) where ${alias} = any(course_ids)`)
  await transaction.execute(sql`
    update activities set id = regexp_replace(id, ${`:${alias}(:|$)`}, ${`:${id}\\1`})
    where id ~ ${`^(enrollment|completed|certificate|lesson):${alias}(:|$)`}`)
}

/** Frees the new ID for the course that still has the previous ID. Its staff keep their access. */
async function deleteCourseWithoutLearners(
  transaction: Transaction,
  { id, alias }: { id: string; alias: string },
): Promise<void> {
  await transaction.execute(sql`
    insert into staff_courses (uid, course_id) select uid, ${alias} from staff_courses where course_id = ${id}
    on conflict do nothing`)
  await transaction.execute(sql`delete from courses where id = ${id}`)
}

/** Moves progress to the lessons' new IDs, after the lessons are stored, and records the aliases. */
export async function moveProgressToNewIds(
  transaction: Transaction,
  outlines: readonly CourseOutline[],
  ids: readonly string[],
  moveWork: MoveLessonProgress,
): Promise<void> {
  const lessonAliases = outlines.flatMap((course) =>
    course.lessons.flatMap(({ id, aliases }) =>
      aliases.map((alias) => ({ courseId: course.id, alias, lessonId: id })),
    ),
  )
  const courseAliases = outlines.flatMap(({ id, aliases }) =>
    aliases.map((alias) => ({ alias, courseId: id })),
  )

  const changedIds = outlines.map(({ id }) => id)
  const unchangedIds = new Set(ids)
  for (const id of changedIds) {
    unchangedIds.delete(id)
  }

  for (const table of [tables.lessonAliases, tables.courseAliases]) {
    await transaction
      .delete(table)
      .where(sql`not course_id = any(${sql.param([...unchangedIds])}::text[])`)
  }

  await upsertRows(transaction, tables.lessonAliases, lessonAliases)
  await upsertRows(transaction, tables.courseAliases, courseAliases)

  // The lock keeps progress reports from adding rows under the alias while its rows are moved.
  const { rows: movedLessons } = await transaction.execute<MovedLesson>(sql`
    select a.course_id as "courseId", a.alias, a.lesson_id as "lessonId"
    from lesson_aliases a join course_lessons l on l.course_id = a.course_id and l.id = a.alias
    where a.course_id = any(${sql.param(changedIds)}::text[]) for update of l`)
  for (const lesson of movedLessons) {
    await moveWork(transaction, lesson)
    await transaction.execute(
      sql`delete from course_lessons where course_id = ${lesson.courseId} and id = ${lesson.alias}`,
    )
  }
}

/**
 * Returns the current IDs of a course and lesson that were renamed, or null if neither ID is an
 * alias.
 */
export async function findCurrentIds(
  db: Pick<Database, 'execute'>,
  courseId: string,
  lessonId = '',
): Promise<{ courseId: string; lessonId: string } | null> {
  const {
    rows: [currentIds],
  } = await db.execute<{ courseId: string; lessonId: string }>(sql`
    with course as (select coalesce((select course_id from course_aliases where alias = ${courseId}), ${courseId}) as id)
    select c.id as "courseId", coalesce(
      (select a.lesson_id from lesson_aliases a where a.course_id = c.id and a.alias = ${lessonId}), ${lessonId}) as "lessonId"
    from course c`)

  const isRenamed =
    currentIds && (currentIds.courseId !== courseId || currentIds.lessonId !== lessonId)
  return isRenamed ? currentIds : null
}

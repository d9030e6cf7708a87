/**
 * Keeps learners' progress when the ID of a course or lesson changes.
 *
 * An author adds the previous ID to the `aliases` of the course or lesson. The next load moves
 * everything that learners have done to the new ID, and URLs with the previous ID lead to the new
 * one. Without an alias, the course or lesson counts as removed (`removal-warnings.server.ts`).
 */

import { sql } from 'drizzle-orm'
import type { Database, Transaction } from '~/server/database/client.server'
import * as tables from '~/server/database/schema'
import { upsertRows } from '~/server/database/upsert-rows.server'
import { failure, type Result, success } from '~/server/result'
import type { CourseOutline } from './course-folder.server'
import { formatLearnerCount } from './removal-warnings.server'

type CourseRename = { newId: string; previousId: string }

/**
 * Gives courses their new IDs, before the courses are stored. Every row that refers to a course by
 * its previous ID is updated.
 *
 * @returns a failure if both IDs of a course have learners, because their progress can't be merged
 */
export async function renameCourses(
  transaction: Transaction,
  outlines: readonly CourseOutline[],
): Promise<Result> {
  const renames = outlines.flatMap(({ id, aliases }) =>
    aliases.map((alias): CourseRename => ({ newId: id, previousId: alias })),
  )
  const previousIds = renames.map(({ previousId }) => previousId)
  const { rows: previousCourses } = await transaction.execute<{ id: string }>(sql`
    select id
    from courses
    where id = any(${sql.param(previousIds)}::text[])`)
  const storedPreviousIds = new Set(previousCourses.map(({ id }) => id))

  for (const rename of renames) {
    if (storedPreviousIds.has(rename.previousId)) {
      const result = await renameCourse(transaction, rename)
      if (!result.ok) {
        return result
      }
    }
  }

  return success()
}

/** Renames one stored course, unless only the course with the new ID has learners. */
async function renameCourse(
  transaction: Transaction,
  { newId, previousId }: CourseRename,
): Promise<Result> {
  const { rows: courses } = await transaction.execute<{ id: string; learners: number }>(sql`
    select
      c.id,
      (
        select count(distinct uid)::int
        from (${courseLearners}) course_learners
      ) as learners
    from courses c
    where c.id in (${newId}, ${previousId})
    order by c.id
    for update`)
  const previousCourse = courses.find(({ id }) => id === previousId)
  const newCourse = courses.find(({ id }) => id === newId)
  if (!previousCourse) {
    return success()
  }

  const hasNewLearners = newCourse !== undefined && newCourse.learners > 0
  if (hasNewLearners && previousCourse.learners > 0) {
    return failure(
      `The content can’t be loaded, so nothing was changed:\n  courses/${newId}/course.yaml: ${formatLearnerCount(previousCourse.learners)} began the course as \`${previousId}\` and ${formatLearnerCount(newCourse.learners)} as \`${newId}\`. Delete the alias: two courses that both have learners can’t be merged.`,
    )
  }

  if (hasNewLearners) {
    return success()
  }

  if (newCourse) {
    await deleteCourseWithoutLearners(transaction, { newId, previousId })
  }

  await replaceCourseId(transaction, { newId, previousId })

  return success()
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

/** Frees the new ID for the course that still has the previous ID. Its staff keep their access. */
async function deleteCourseWithoutLearners(
  transaction: Transaction,
  { newId, previousId }: CourseRename,
): Promise<void> {
  await transaction.execute(sql`
    insert into staff_courses (uid, course_id)
    select uid, ${previousId}
    from staff_courses
    where course_id = ${newId}
    on conflict do nothing`)
  await transaction.execute(sql`delete from courses where id = ${newId}`)
}

/** Foreign keys update most tables. The others name the course in a list or within a text. */
async function replaceCourseId(
  transaction: Transaction,
  { newId, previousId }: CourseRename,
): Promise<void> {
  await transaction.execute(sql`update courses set id = ${newId} where id = ${previousId}`)

  await transaction.execute(sql`
    update coupons
    set course_ids = array_replace(course_ids, ${previousId}, ${newId})
    where ${previousId} = any(course_ids)`)

  const idInText = `:${previousId}(:|$)`
  const newIdInText = `:${newId}\\1`
  await transaction.execute(sql`
    update activities
    set id = regexp_replace(id, ${idInText}, ${newIdInText})
    where id ~ ${`^(enrollment|completed|certificate|lesson)${idInText}`}`)
}

export type MovedLesson = { courseId: string; alias: string; lessonId: string }

/**
 * Moves everything that learners have done in a lesson to the lesson's new ID. The features pass
 * this function in, because only they know their tables.
 */
export type MoveLessonProgress = (transaction: Transaction, lesson: MovedLesson) => Promise<void>

/**
 * Moves progress to the lessons' new IDs, after the lessons are stored, and records the aliases.
 *
 * @param outlines the courses that were read
 * @param courseIds the IDs of all courses
 */
export async function moveProgressToNewIds(
  transaction: Transaction,
  outlines: readonly CourseOutline[],
  courseIds: readonly string[],
  moveLessonProgress: MoveLessonProgress,
): Promise<void> {
  await replaceAliases(transaction, outlines, courseIds)

  // The lock keeps progress reports from adding rows under the alias while its rows are moved.
  const readIds = outlines.map(({ id }) => id)
  const { rows: movedLessons } = await transaction.execute<MovedLesson>(sql`
    select
      a.course_id as "courseId",
      a.alias,
      a.lesson_id as "lessonId"
    from lesson_aliases a
    join course_lessons l on l.course_id = a.course_id and l.id = a.alias
    where a.course_id = any(${sql.param(readIds)}::text[])
    for update of l`)

  for (const lesson of movedLessons) {
    await moveLessonProgress(transaction, lesson)
    await transaction.execute(sql`
      delete from course_lessons
      where course_id = ${lesson.courseId}
        and id = ${lesson.alias}`)
  }
}

/** Stores the aliases of the courses that were read. Unchanged courses keep theirs. */
async function replaceAliases(
  transaction: Transaction,
  outlines: readonly CourseOutline[],
  courseIds: readonly string[],
): Promise<void> {
  const readIds = new Set(outlines.map(({ id }) => id))
  const unchangedIds = courseIds.filter((id) => !readIds.has(id))
  for (const table of [tables.lessonAliases, tables.courseAliases]) {
    await transaction
      .delete(table)
      .where(sql`not course_id = any(${sql.param(unchangedIds)}::text[])`)
  }

  const lessonAliases = outlines.flatMap((course) =>
    course.lessons.flatMap(({ id, aliases }) =>
      aliases.map((alias) => ({ courseId: course.id, alias, lessonId: id })),
    ),
  )
  await upsertRows(transaction, tables.lessonAliases, lessonAliases)

  const courseAliases = outlines.flatMap(({ id, aliases }) =>
    aliases.map((alias) => ({ alias, courseId: id })),
  )
  await upsertRows(transaction, tables.courseAliases, courseAliases)
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
    with course as (
      select coalesce(
        (select course_id from course_aliases where alias = ${courseId}),
        ${courseId}
      ) as id
    )
    select
      c.id as "courseId",
      coalesce(
        (
          select a.lesson_id
          from lesson_aliases a
          where a.course_id = c.id
            and a.alias = ${lessonId}
        ),
        ${lessonId}
      ) as "lessonId"
    from course c`)

  const isRenamed =
    currentIds && (currentIds.courseId !== courseId || currentIds.lessonId !== lessonId)
  return isRenamed ? currentIds : null
}

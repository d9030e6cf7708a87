import { sql } from 'drizzle-orm'
import type { Transaction } from '~/server/database/client.server'
import type { CourseOutline } from './course-folder.server'

type QueryRunner = Pick<Transaction, 'execute'>

/**
 * Warns about lessons and courses that learners have progress in, but that the content no longer
 * has. The usual cause is a changed ID.
 *
 * @param outlines the courses that may have changed
 * @param courseIds the IDs of all courses
 * @returns one sentence per lesson or course, which says how to preserve the progress
 */
export async function listRemovalWarnings(
  db: QueryRunner,
  outlines: readonly CourseOutline[],
  courseIds: readonly string[],
): Promise<string[]> {
  const aliases = outlines.flatMap((outline) => outline.aliases)
  const removedCourses = await findRemovedCourses(db, [...courseIds, ...aliases])
  const removedLessons = await findRemovedLessons(db, outlines)

  return [
    ...removedCourses.filter(({ learners }) => learners > 0).map(describeRemovedCourse),
    ...removedLessons
      .filter(({ learners }) => learners > 0)
      .map((lesson) => describeRemovedLesson(outlines, lesson)),
  ]
}

type RemovedCourse = { id: string; learners: number }

async function findRemovedCourses(
  db: QueryRunner,
  idsAndAliases: readonly string[],
): Promise<RemovedCourse[]> {
  const { rows } = await db.execute<RemovedCourse>(sql`
    select
      c.id,
      (
        select count(*)::int
        from enrollments e
        where e.course_id = c.id
      ) as learners
    from courses c
    where c.published
      and not c.id = any(${sql.param(idsAndAliases)}::text[])
    order by c.id`)

  return rows
}

type RemovedLesson = { courseId: string; id: string; title: string; learners: number }

async function findRemovedLessons(
  db: QueryRunner,
  outlines: readonly CourseOutline[],
): Promise<RemovedLesson[]> {
  const currentCourses = outlines.map((course) => ({
    ids: [course.id, ...course.aliases],
    lessons: course.lessons.flatMap((lesson) => [lesson.id, ...lesson.aliases]),
  }))
  const { rows } = await db.execute<RemovedLesson>(sql`
    with current_courses as (
      select
        jsonb_array_elements_text(course -> 'ids') as id,
        course -> 'lessons' as lessons
      from jsonb_array_elements(${JSON.stringify(currentCourses)}::text::jsonb) course
    )
    select
      l.course_id as "courseId",
      l.id,
      l.title,
      (
        select count(*)::int
        from (
          select uid from lesson_progress w where (w.course_id, w.lesson_id) = (l.course_id, l.id)
          union
          select uid from notes w where (w.course_id, w.lesson_id) = (l.course_id, l.id)
          union
          select uid from bookmarks w where (w.course_id, w.lesson_id) = (l.course_id, l.id)
        ) lesson_learners
      ) as learners
    from course_lessons l
    join current_courses c on c.id = l.course_id
    where not l.retired
      and not c.lessons ? l.id
    order by l.course_id, l.position`)

  return rows
}

function describeRemovedCourse({ id, learners }: RemovedCourse): string {
  return `The course \`${id}\` (${formatLearnerCount(learners)}) is gone. If you renamed it, add \`aliases: [${id}]\` to the course.yaml of its new folder.`
}

function describeRemovedLesson(
  outlines: readonly CourseOutline[],
  { courseId, id, title, learners }: RemovedLesson,
): string {
  const outline = outlines.find(
    (course) => course.id === courseId || course.aliases.includes(courseId),
  )
  const lessonWithSameTitle = outline?.lessons.find((lesson) => lesson.title === title)
  const replacement = lessonWithSameTitle
    ? `the lesson \`${lessonWithSameTitle.id}\`, which has the same title,`
    : 'the lesson that replaced it'

  return `courses/${outline?.id ?? courseId}/course.yaml: The lesson \`${id}\` (${formatLearnerCount(learners)}) is gone. If you renamed it, add \`aliases: [${id}]\` to ${replacement} so they keep their work.`
}

export function formatLearnerCount(learners: number): string {
  return learners === 1 ? '1 learner' : `${learners} learners`
}

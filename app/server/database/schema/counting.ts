import { type SQL, sql } from 'drizzle-orm'
import { integer, pgView, text } from 'drizzle-orm/pg-core'

/** Rules by which queries count: each stands here once, for every query that needs it. */

/** Lessons that count towards their course: they have material and are in the curriculum still. */
export const countingLessons = pgView('counting_lessons', {
  courseId: text('course_id').notNull(),
  id: text().notNull(),
  title: text().notNull(),
  position: integer().notNull(),
  durationSeconds: integer('duration_seconds').notNull(),
}).as(sql`
  select course_id, id, title, position, duration_seconds from course_lessons where kind <> 'announced' and not retired`)

/**
 * How far a learner is in a course, by its counting lessons; `courseProgressPercent` makes the
 * percent of it.
 */
export const courseProgress = pgView('course_progress', {
  uid: text().notNull(),
  courseId: text('course_id').notNull(),
  totalLessons: integer('total_lessons').notNull(),
  doneLessons: integer('done_lessons').notNull(),
  totalSeconds: integer('total_seconds').notNull(),
  doneSeconds: integer('done_seconds').notNull(),
}).as(sql`
  select e.uid, e.course_id, l.* from enrollments e cross join lateral (
    select count(*)::int as total_lessons, count(*) filter (where p.done)::int as done_lessons,
      coalesce(sum(l.duration_seconds), 0)::int as total_seconds,
      coalesce(sum(l.duration_seconds) filter (where p.done), 0)::int as done_seconds
    from counting_lessons l
    left join lesson_progress p on p.uid = e.uid and p.course_id = l.course_id and p.lesson_id = l.id
    where l.course_id = e.course_id) l`)

/**
 * How many files a lesson offers, and how large they are together: JSON of `count` and `bytes`.
 *
 * @param downloads the column.
 */
export function downloadsInAll(downloads: SQL): SQL {
  return sql`select json_build_object('count', count(*), 'bytes', coalesce(sum((f->>'bytes')::int), 0))
    from jsonb_array_elements(${downloads}) f`
}

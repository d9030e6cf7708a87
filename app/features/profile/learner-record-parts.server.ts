import { sql } from 'drizzle-orm'
import { lessonToContinue } from '~/features/lessons/lesson-queries.server'
import { isoText } from '~/server/database/database-time.server'
import { examScoresListed, recentActivityLimit, studyDaysShown } from './learner-record'

/** Each is a subquery with one JSON list of the learner's, for the one query that reads the record. */

const examDue = sql`(c.published and e.completed_at is not null and e.certificate_waits_since is null
  and exists (select from exams x where x.course_id = e.course_id)
  and not exists (select from certificates k where k.uid = e.uid and k.course_id = e.course_id))`

/** The limit stands in the statement: with one that it does not know, PostgreSQL would plan it anew for each learner. */
export function courseRows(uid: string, { openCourses }: { openCourses?: number }) {
  const isListed = openCourses === undefined ? sql`` : sql`and (e.completed_at is null or ${examDue})`
  return sql`
    select coalesce(json_agg(c order by c."lastAccessed" desc, c.name), '[]') from (
      select c.id, c.title as name, c.instructor_name as instructor, c.published,
        ${isoText(sql`e.last_accessed_at`)} as "lastAccessed", ${isoText(sql`e.completed_at`)} as "completedAt",
        (select r.id from certificates k join certificate_register r using (id)
          where k.uid = e.uid and k.course_id = e.course_id and r.revoked_at is null) as "certificateId",
        ${examDue} as "examDue",
        (${lessonToContinue}) as next, p.total_lessons as "totalLessons", p.done_lessons as "completedLessons",
        p.total_seconds as "totalSeconds", p.done_seconds as "doneSeconds"
      from (
        select e.* from enrollments e join courses c on c.id = e.course_id
        where e.uid = ${uid} ${isListed}
        order by e.last_accessed_at desc, c.title limit ${sql.raw(String(openCourses ?? null))}
      ) e
      join courses c on c.id = e.course_id
      join course_progress p on p.uid = e.uid and p.course_id = e.course_id
    ) c`
}

/** Only attempts that were handed in. */
export function examRows(uid: string) {
  return sql`
    select coalesce(json_agg(json_build_object('id', id, 'courseId', course_id, 'name', title, 'score', score, 'maxScore', max_score,
      'date', ${isoText(sql`submitted_at`)}) order by submitted_at desc, id), '[]')
    from (select * from exam_attempts where uid = ${uid} and submitted_at is not null
      order by submitted_at desc, id limit ${sql.raw(String(examScoresListed))}) a`
}

export function activityRows(uid: string) {
  return sql`
    select coalesce(json_agg(json_build_object('id', id, 'type', type, 'text', text, 'time', ${isoText(sql`at`)})
      order by at desc, id desc), '[]')
    from (select * from activities where uid = ${uid} order by at desc, id desc limit ${sql.raw(String(recentActivityLimit))}) a`
}

/** Newest first, without what is enrolled in by now or no longer offered. */
export function wishRows(uid: string) {
  return sql`
    select coalesce(json_agg(json_build_object('id', c.id, 'name', c.title, 'instructor', c.instructor_name)
      order by w.created_at desc, c.id), '[]')
    from wishes w join courses c on c.id = w.course_id
    where w.uid = ${uid} and c.published
      and not exists (select from enrollments e where e.uid = w.uid and e.course_id = w.course_id)`
}

export function bookmarkRows(uid: string) {
  return sql`
    select coalesce(json_agg(json_build_object('courseId', c.id, 'lessonId', l.id, 'lesson', l.title, 'course', c.title)
      order by b.created_at desc, c.id, l.id), '[]')
    from bookmarks b
    join enrollments e on e.uid = b.uid and e.course_id = b.course_id
    join courses c on c.id = b.course_id
    join course_lessons l on l.course_id = b.course_id and l.id = b.lesson_id
    where b.uid = ${uid}`
}

/** A day more than is shown, because the learner's may be another one than UTC's. */
export function recentStudyRows(uid: string, now: Date) {
  const oldest = sql`(${now.toISOString()}::timestamptz at time zone 'UTC')::date - ${studyDaysShown + 1}::int`
  return sql`
    select coalesce(json_agg(json_build_object('day', day, 'minutes',
      (select floor(sum(extract(epoch from upper(part) - lower(part))) / 60) from unnest(studied) part))), '[]')
    from (select * from study_days where uid = ${uid} order by day desc limit ${sql.raw(String(studyDaysShown + 2))}) d
    where day >= ${oldest}`
}

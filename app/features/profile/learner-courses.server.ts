/** Lists the courses of a learner, and the learners of a course, with a summary of the progress. */
import { sql } from 'drizzle-orm'
import { courseProgressPercent } from '~/features/enrollment/course-progress'
import { getLastOpenedAt } from '~/features/enrollment/enrollment-queries.server'
import type { Database } from '~/server/database/client.server'
import { isoText } from '~/server/database/database-time.server'

/** A learner's progress in one course. */
type LearnerCourse = {
  uid: string
  courseId: string
  title: string
  enrolledAt: Date
  /** Null if the learner has never opened the course. */
  lastOpenedAt: Date | null
  completedAt: Date | null
  percent: number
  doneLessons: number
  totalLessons: number
  /** The figures of submitted attempts. `best` is a whole percentage. */
  exam: { attempts: number; best: number | null; passed: boolean }
  certificate: { id: string; issuedAt: Date; revoked: boolean } | null
}

type LearnerCourseRow = Omit<
  LearnerCourse,
  'percent' | 'enrolledAt' | 'lastOpenedAt' | 'completedAt' | 'certificate'
> & {
  enrolledAt: string
  lastOpenedAt: string | null
  completedAt: string | null
  doneSeconds: number
  totalSeconds: number
  certificate: { id: string; issuedAt: string; revoked: boolean } | null
}

/** Returns the courses of a learner, the most recently opened course first. */
export async function listLearnerCourses(db: Database, uid: string): Promise<LearnerCourse[]> {
  const { rows } = await db.execute<LearnerCourseRow>(sql`
    ${selectLearnerCourses}
    where e.uid = ${uid}
    order by e.last_accessed_at desc, e.course_id`)

  return rows.map(toLearnerCourse)
}

/**
 * Returns one page of a course's learners, sorted by uid.
 *
 * @param previousUid the last uid of the previous page, or '' for the first page
 */
export async function listCourseLearners(
  db: Pick<Database, 'execute'>,
  courseId: string,
  previousUid: string,
  limit: number,
): Promise<LearnerCourse[]> {
  const { rows } = await db.execute<LearnerCourseRow>(sql`
    ${selectLearnerCourses}
    where e.course_id = ${courseId}
      and e.uid > ${previousUid}
    order by e.uid
    limit ${limit}`)

  return rows.map(toLearnerCourse)
}

/** A statement that ends before its `where` clause. The clause can use the enrollments as `e`. */
const selectLearnerCourses = sql`
  select e.uid,
    e.course_id as "courseId",
    c.title,
    ${isoText(sql`e.enrolled_at`)} as "enrolledAt",
    ${isoText(getLastOpenedAt(sql`e`))} as "lastOpenedAt",
    ${isoText(sql`e.completed_at`)} as "completedAt",
    p.done_lessons as "doneLessons",
    p.total_lessons as "totalLessons",
    p.done_seconds as "doneSeconds",
    p.total_seconds as "totalSeconds",
    (
      select json_build_object(
        'attempts', count(*),
        'best', max(a.percent),
        'passed', coalesce(bool_or(a.passed), false))
      from exam_attempts a
      where a.uid = e.uid
        and a.course_id = e.course_id
        and a.submitted_at is not null) as exam,
    (
      select json_build_object(
        'id', r.id,
        'issuedAt', ${isoText(sql`r.issued_at`)},
        'revoked', r.revoked_at is not null)
      from certificates k
        join certificate_register r on r.id = k.id
      where k.uid = e.uid and k.course_id = e.course_id) as certificate
  from enrollments e
    join courses c on c.id = e.course_id
    join course_progress p on p.uid = e.uid and p.course_id = e.course_id`

function toLearnerCourse({ doneSeconds, totalSeconds, ...row }: LearnerCourseRow): LearnerCourse {
  const { certificate, completedAt } = row

  return {
    ...row,
    enrolledAt: new Date(row.enrolledAt),
    lastOpenedAt: row.lastOpenedAt === null ? null : new Date(row.lastOpenedAt),
    completedAt: completedAt === null ? null : new Date(completedAt),
    percent: courseProgressPercent({ doneSeconds, totalSeconds }),
    certificate: certificate && { ...certificate, issuedAt: new Date(certificate.issuedAt) },
  }
}

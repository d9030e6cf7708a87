import { sql } from 'drizzle-orm'
import { courseProgressPercent } from '~/features/progress/course-progress'
import type { Database } from '~/server/database/client.server'
import { isoText } from '~/server/database/database-time.server'

/** How far a learner is in a course, for operators. */
export type LearnerCourse = {
  uid: string
  courseId: string
  title: string
  enrolledAt: Date
  lastAccessedAt: Date
  completedAt: Date | null
  percent: number
  doneLessons: number
  totalLessons: number
  /** Over all attempts that were handed in; `best` in whole percent. */
  exam: { attempts: number; best: number | null; passed: boolean }
  certificate: { id: string; issuedAt: Date; revoked: boolean } | null
}

type Row = Omit<LearnerCourse, 'percent' | 'enrolledAt' | 'lastAccessedAt' | 'completedAt' | 'certificate'> & {
  enrolledAt: string
  lastAccessedAt: string
  completedAt: string | null
  doneSeconds: number
  totalSeconds: number
  certificate: { id: string; issuedAt: string; revoked: boolean } | null
}

/** Of a learner's courses, last opened first. */
export async function listLearnerCourses(db: Database, uid: string): Promise<LearnerCourse[]> {
  const { rows } = await db.execute<Row>(
    sql`${learnerCourses} where e.uid = ${uid} order by e.last_accessed_at desc, e.course_id`,
  )
  return rows.map(courseOf)
}

/** Of a course's learners by uid, a part at a time. @param after the last uid of the part before; '' at first. */
export async function listCourseLearners(
  db: Pick<Database, 'execute'>,
  courseId: string,
  after: string,
  limit: number,
): Promise<LearnerCourse[]> {
  const { rows } = await db.execute<Row>(sql`
    ${learnerCourses} where e.course_id = ${courseId} and e.uid > ${after} order by e.uid limit ${limit}`)
  return rows.map(courseOf)
}

const learnerCourses = sql`
  select e.uid, e.course_id as "courseId", c.title, ${isoText(sql`e.enrolled_at`)} as "enrolledAt",
    ${isoText(sql`e.last_accessed_at`)} as "lastAccessedAt", ${isoText(sql`e.completed_at`)} as "completedAt",
    p.done_lessons as "doneLessons", p.total_lessons as "totalLessons", p.done_seconds as "doneSeconds",
    p.total_seconds as "totalSeconds",
    (select json_build_object('attempts', count(*), 'best', max(a.percent), 'passed', coalesce(bool_or(a.passed), false))
      from exam_attempts a where a.uid = e.uid and a.course_id = e.course_id and a.submitted_at is not null) as exam,
    (select json_build_object('id', r.id, 'issuedAt', ${isoText(sql`r.issued_at`)}, 'revoked', r.revoked_at is not null)
      from certificates k join certificate_register r on r.id = k.id
      where k.uid = e.uid and k.course_id = e.course_id) as certificate
  from enrollments e join courses c on c.id = e.course_id
  join course_progress p on p.uid = e.uid and p.course_id = e.course_id`

function courseOf({ doneSeconds, totalSeconds, ...row }: Row): LearnerCourse {
  const { certificate, completedAt } = row
  return {
    ...row,
    enrolledAt: new Date(row.enrolledAt),
    lastAccessedAt: new Date(row.lastAccessedAt),
    completedAt: completedAt === null ? null : new Date(completedAt),
    percent: courseProgressPercent({ doneSeconds, totalSeconds }),
    certificate: certificate && { ...certificate, issuedAt: new Date(certificate.issuedAt) },
  }
}

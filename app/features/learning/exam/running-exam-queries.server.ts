import { sql } from 'drizzle-orm'
import type { Database } from '~/server/database/client.server'

/** The exams that a learner is taking right now, and how long each still runs. */
export async function listRunningExams(
  db: Database,
  uid: string,
): Promise<{ courseId: string; secondsLeft: number }[]> {
  return db.execute<{ courseId: string; secondsLeft: number }>(sql`
    select a.course_id as "courseId", extract(epoch from a.deadline_at - clock_timestamp())::float as "secondsLeft"
    from exam_attempts a join enrollments e on e.uid = a.uid and e.course_id = a.course_id
    where a.uid = ${uid} and a.submitted_at is null and a.deadline_at > clock_timestamp()`)
}

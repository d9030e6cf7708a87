import { sql } from 'drizzle-orm'
import type { Database } from '~/server/database/client.server'

/** The exams that a learner is taking right now, and how long each still runs; their clocks stop during maintenance. */
export async function listRunningExams(
  db: Database,
  uid: string,
): Promise<{ courseId: string; secondsLeft: number }[]> {
  const { rows } = await db.execute<{ courseId: string; secondsLeft: number }>(sql`
    select a.course_id as "courseId", extract(epoch from a.deadline_at - clock.reads)::float as "secondsLeft"
    from exam_attempts a join enrollments e on e.uid = a.uid and e.course_id = a.course_id
    left join product_state p on p.id = 1
    cross join lateral (
      select case when p.maintenance ->> 'since' is null then clock_timestamp()
        else greatest((p.maintenance ->> 'since')::timestamptz, a.started_at) end as reads
    ) clock
    where a.uid = ${uid} and a.submitted_at is null and a.deadline_at > clock.reads`)
  return rows
}

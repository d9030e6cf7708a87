import { sql } from 'drizzle-orm'
import { courseProgressPercent } from '~/features/enrollment/course-progress'
import type { Database } from '~/server/database/client.server'
import { lessonToContinueQuery } from './lesson-queries.server'
import type { ProgressSummary } from './progress-summary'

type ProgressSummaryRow = Omit<ProgressSummary, 'courseId' | 'percent'> & {
  totalSeconds: number
  doneSeconds: number
}

/** Returns a learner's progress in a course, or null if the learner is not enrolled. */
export async function findProgressSummary(
  db: Database,
  uid: string,
  courseId: string,
): Promise<ProgressSummary | null> {
  const {
    rows: [row],
  } = await db.execute<ProgressSummaryRow>(sql`
    select
      p.done_lessons as "doneLessons",
      p.total_lessons as "totalLessons",
      p.done_seconds as "doneSeconds",
      p.total_seconds as "totalSeconds",
      (
        select coalesce(json_agg(lesson_id), '[]')
        from lesson_progress d
        where d.uid = e.uid and d.course_id = e.course_id and d.done
      ) as done,
      (${lessonToContinueQuery}) as next,
      e.completed_at is not null as completed,
      e.certificate_waits_since is not null as "certificateWaits",
      case
        when exists (
          select from exam_attempts a
          where a.uid = e.uid and a.course_id = e.course_id and a.passed) then 'passed'
        when exists (select from exams x where x.course_id = e.course_id) then 'open'
        else 'none'
      end as exam,
      (
        select c.id
        from certificates c
        join certificate_register r using (id)
        where c.uid = e.uid and c.course_id = e.course_id and r.revoked_at is null
      ) as "certificateId"
    from enrollments e
    join course_progress p on p.uid = e.uid and p.course_id = e.course_id
    where e.uid = ${uid} and e.course_id = ${courseId}`)

  if (!row) {
    return null
  }

  const { totalSeconds, doneSeconds, ...summary } = row
  return { ...summary, courseId, percent: courseProgressPercent({ totalSeconds, doneSeconds }) }
}

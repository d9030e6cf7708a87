import { sql } from 'drizzle-orm'
import { courseProgressPercent } from '~/features/progress/course-progress'
import type { Database } from '~/server/database/client.server'
import { lessonToContinue } from './lesson-queries.server'
import type { ProgressSummary } from './progress-summary'

type Row = Omit<ProgressSummary, 'courseId' | 'percent'> & { totalSeconds: number; doneSeconds: number }

/** @returns null for those who are not enrolled. */
export async function findProgressSummary(
  db: Database,
  uid: string,
  courseId: string,
): Promise<ProgressSummary | null> {
  const {
    rows: [row],
  } = await db.execute<Row>(sql`
    select p.done_lessons as "doneLessons", p.total_lessons as "totalLessons",
      p.done_seconds as "doneSeconds", p.total_seconds as "totalSeconds",
      (select coalesce(json_agg(lesson_id), '[]') from lesson_progress d
        where d.uid = e.uid and d.course_id = e.course_id and d.done) as done,
      (${lessonToContinue}) as next, e.completed_at is not null as completed,
      case when exists (select from exam_attempts a where a.uid = e.uid and a.course_id = e.course_id and a.passed) then 'passed'
        when exists (select from exams x where x.course_id = e.course_id) then 'open' else 'none' end as exam,
      (select k.id from certificates k join certificate_register r using (id)
        where k.uid = e.uid and k.course_id = e.course_id and r.revoked_at is null) as "certificateId"
    from enrollments e join course_progress p on p.uid = e.uid and p.course_id = e.course_id
    where e.uid = ${uid} and e.course_id = ${courseId}`)
  if (!row) return null
  const { totalSeconds, doneSeconds, ...progress } = row
  return { ...progress, courseId, percent: courseProgressPercent({ totalSeconds, doneSeconds }) }
}

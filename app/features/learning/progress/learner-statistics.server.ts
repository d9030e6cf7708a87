import { type SQL, sql } from 'drizzle-orm'
import type { Transaction } from '~/server/database/client.server'
import { isoText } from '~/server/database/database-time.server'

/** What a learner has achieved, in numbers, for the profile, achievements and certificates. */
export type LearnerStatistics = {
  /** Revoked certificates are not counted. */
  certificates: number
  /** Lessons that have since been removed from their course are counted, too. */
  lessonsDone: number
  /** Results of all submitted attempts, in whole percent, rounded down. */
  exams: { taken: number; best: number | null; average: number | null }
  /** The times are ISO strings. */
  completedCourses: { category: string; enrolledAt: string; completedAt: string }[]
  studySeconds: number
  /** Days like "2026-11-20", in ascending order. */
  studyDays: string[]
}

export async function getLearnerStatistics(
  transaction: Transaction,
  uid: string,
): Promise<LearnerStatistics> {
  const {
    rows: [row],
  } = await transaction.execute<{ statistics: LearnerStatistics }>(
    sql`select (${selectLearnerStatistics(uid)}) as statistics`,
  )

  if (!row) {
    throw new Error('The query for the statistics must return exactly one row.')
  }

  return row.statistics
}

/** Returns a subquery for a JSON object of the type `LearnerStatistics`. */
export function selectLearnerStatistics(uid: string): SQL {
  return sql`
    select json_build_object(
      'certificates', (
        select count(*)
        from certificates
        join certificate_register r using (id)
        where uid = ${uid} and r.revoked_at is null),
      'lessonsDone', (
        select count(*)
        from lesson_progress
        where uid = ${uid} and done),
      'exams', (
        select json_build_object(
          'taken', count(*), 'best', max(percent), 'average', floor(avg(percent)))
        from exam_attempts
        where uid = ${uid} and submitted_at is not null),
      'completedCourses', (
        select coalesce(
          json_agg(json_build_object(
            'category', c.category,
            'enrolledAt', ${isoText(sql`e.enrolled_at`)},
            'completedAt', ${isoText(sql`e.completed_at`)})),
          '[]')
        from enrollments e
        join courses c on c.id = e.course_id
        where e.uid = ${uid} and e.completed_at is not null),
      'studySeconds', (
        select coalesce(floor(extract(epoch from sum(upper(part) - lower(part)))), 0)
        from study_days, unnest(studied) part
        where uid = ${uid}),
      'studyDays', (
        select coalesce(json_agg(day order by day), '[]')
        from study_days
        where uid = ${uid} and not isempty(studied)))`
}

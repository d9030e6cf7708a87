import { sql } from 'drizzle-orm'
import { achievements } from '~/server/database/schema'
import { recordActivity } from '../course-work/activity-queries.server'
import type { Transaction } from '../course-work/course-work-lock.server'
import { type AchievementFacts, achievementDefinitions } from './achievements'

/**
 * Grants every achievement whose rule the learner's rows meet now; call it in the transaction that may have met one.
 * Each is granted and told once, also when two requests race: they look one after the other, so that the later one sees
 * what the earlier one did in another course.
 *
 * @returns ids of what this call granted.
 */
export async function grantDueAchievements(transaction: Transaction, uid: string, now: Date): Promise<string[]> {
  await transaction.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`achievements ${uid}`}, 0))`)
  const facts = await getAchievementFacts(transaction, uid)
  const due = achievementDefinitions.filter((definition) => isDue(definition.progress(facts)))
  if (due.length === 0) return []
  const granted = await transaction
    .insert(achievements)
    .values(due.map(({ id }) => ({ uid, achievementId: id, grantedAt: now })))
    .onConflictDoNothing()
    .returning({ id: achievements.achievementId })
  const ids = granted.map(({ id }) => id)
  for (const { id, name } of due.filter((definition) => ids.includes(definition.id))) {
    await recordActivity(transaction, uid, {
      id: `achievement:${id}`,
      type: 'milestone',
      text: `Earned the achievement ${name}`,
      at: now,
    })
  }
  return ids
}

function isDue({ now, goal }: { now: number; goal: number }): boolean {
  return now >= goal
}

/** The same facts as in the learner's record. Begun days count; a streak is an island of study days. */
async function getAchievementFacts(transaction: Transaction, uid: string): Promise<AchievementFacts> {
  const [facts] = await transaction.execute<AchievementFacts>(sql`
    select
      (select count(*)::int from certificates join certificate_register r using (id)
        where uid = ${uid} and r.revoked_at is null) as "certificates",
      (select count(*)::int from lesson_progress where uid = ${uid} and done) as "lessonsDone",
      (select max(score * 100 / max_score) from exam_attempts
        where uid = ${uid} and submitted_at is not null) as "bestExamPercent",
      (select coalesce(max(days), 0)::int from (
        select count(*) as days from (
          select day - row_number() over (order by day)::int as island
          from study_days where uid = ${uid} and not isempty(studied)
        ) days group by island
      ) islands) as "longestStreakDays",
      (select count(*)::int from enrollments e join courses c on c.id = e.course_id
        where e.uid = ${uid} and e.completed_at is not null and c.category = 'technology') as "technologyCoursesCompleted",
      (select min(greatest(1, ceil(extract(epoch from completed_at - enrolled_at) / 86400)))::int
        from enrollments where uid = ${uid} and completed_at is not null) as "quickestCourseDays"`)
  if (!facts) throw new Error('The statement gives exactly one row.')
  return facts
}

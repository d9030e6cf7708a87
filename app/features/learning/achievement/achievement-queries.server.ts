import { sql } from 'drizzle-orm'
import { achievements } from '~/server/database/schema'
import { recordActivity } from '../course-work/activity-queries.server'
import type { Transaction } from '../course-work/course-work-lock.server'
import { getLearnerFacts } from '../course-work/learner-facts.server'
import { achievementDefinitions, achievementFactsOf } from './achievements'

/**
 * Grants every achievement whose rule the learner's rows meet now; call it in the transaction that may have met one.
 * Each is granted and told once, also when two requests race: they look one after the other, so that the later one sees
 * what the earlier one did in another course.
 *
 * @returns ids of what this call granted.
 */
export async function grantDueAchievements(transaction: Transaction, uid: string, now: Date): Promise<string[]> {
  await transaction.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`achievements ${uid}`}, 0))`)
  const facts = achievementFactsOf(await getLearnerFacts(transaction, uid))
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

import { achievementActivity, streakActivity } from './achievement-messages'
import { achievementDefinitions, consistentLearner, furtherGoalWords } from './achievements'

/** An achievement of the learner that hasn't been celebrated yet. */
export type Celebration =
  | { kind: 'achievement'; id: string }
  /** Every lesson is done. `next`: the remaining step before the certificate, or the certificate itself. */
  | { kind: 'course'; courseId: string; title: string; next: 'exam' | 'address' | { certificateId: string } }
  | { kind: 'streak'; days: number }
  /** Beyond an achievement: its id, and the number that was reached. */
  | { kind: 'goal'; id: string; goal: number }

/** `events`: ids of the activities that are seen with it. */
export type WaitingCelebration = { celebration: Celebration; events: string[] }

const order: readonly Celebration['kind'][] = ['course', 'achievement', 'goal', 'streak']

/**
 * Chooses the greatest of the unseen achievements.
 *
 * @returns null if there is none; `covered` has the ones that its message includes.
 */
export function firstToShow(earned: readonly Celebration[]): { first: Celebration; covered: Celebration[] } | null {
  const [first] = earned.toSorted((one, other) => order.indexOf(one.kind) - order.indexOf(other.kind))
  if (!first) return null
  const isStreakAchievement = first.kind === 'achievement' && first.id === consistentLearner.id
  const isCovered = (one: Celebration) =>
    isStreakAchievement && one.kind === 'streak' && one.days === consistentLearner.days
  return { first, covered: earned.filter(isCovered) }
}

/**
 * An activity's sentence about a milestone, in today's wording, because its id has the facts (`streak:7:2026-11-20`,
 * `achievement:bookworm`, `goal:bookworm:100`).
 *
 * @returns null for every other event, whose sentence is stored, because it contains a title of that time.
 */
export function milestoneText(id: string): string | null {
  const [kind, subject = '', goal = ''] = id.split(':')
  if (kind === 'streak') return streakActivity(subject)
  if (kind === 'goal') return furtherGoalWords(subject, Number(goal))?.reached ?? null
  const definition = kind === 'achievement' && achievementDefinitions.find((one) => one.id === subject)
  return definition ? achievementActivity(definition.name) : null
}

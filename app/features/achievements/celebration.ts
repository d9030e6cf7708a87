import { achievementActivity, streakActivity } from './achievement-messages'
import { achievementDefinitions, consistentLearner, furtherGoalWords } from './achievements'

/** Something that a learner has achieved and not seen celebrated yet. */
export type Celebration =
  | { kind: 'achievement'; id: string }
  /** Every lesson is done. `next`: what is between the learner and the certificate, or the certificate itself. */
  | { kind: 'course'; courseId: string; title: string; next: 'exam' | 'address' | { certificateId: string } }
  | { kind: 'streak'; days: number }
  /** Beyond an achievement: its id, and the number that was reached. */
  | { kind: 'goal'; id: string; goal: number }

/** `events`: ids of the activities that are seen with it. */
export type WaitingCelebration = { celebration: Celebration; events: string[] }

const order: readonly Celebration['kind'][] = ['course', 'achievement', 'goal', 'streak']

/**
 * What to show first of what was earned: the greatest.
 *
 * @returns null if there is nothing; `covered` has what the one that is shown says, too.
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
 * What an activity says of a milestone, in the words of today whenever it was recorded: its id has the facts
 * (`streak:7:2026-11-20`, `achievement:bookworm`, `goal:bookworm:100`).
 *
 * @returns null for every other event, whose sentence was stored with it: it names a title of that time.
 */
export function milestoneText(id: string): string | null {
  const [kind, subject = '', goal = ''] = id.split(':')
  if (kind === 'streak') return streakActivity(subject)
  if (kind === 'goal') return furtherGoalWords(subject, Number(goal))?.reached ?? null
  const definition = kind === 'achievement' && achievementDefinitions.find((one) => one.id === subject)
  return definition ? achievementActivity(definition.name) : null
}

import { consistentLearner } from './achievements'

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

import { consistentLearner } from './achievements'

/** Something that a learner has achieved and not seen celebrated yet. */
export type EarnedMoment =
  | { kind: 'achievement'; id: string }
  /** Every lesson is done. `next`: what is between the learner and the certificate, or the certificate itself. */
  | { kind: 'course'; courseId: string; title: string; next: 'exam' | 'address' | { certificateId: string } }
  | { kind: 'streak'; days: number }
  /** Beyond an achievement: its id, and the number that was reached. */
  | { kind: 'goal'; id: string; goal: number }

/** What a page took to show it: `events` names what it is about, to be said once it was in view. */
export type TakenMoment = { moment: EarnedMoment; events: string[] }

/**
 * What to show first of what was earned: the greatest.
 *
 * @returns null if there is nothing; `said` has what the one that is shown already says, too.
 */
export function firstToShow(earned: readonly EarnedMoment[]): { first: EarnedMoment; said: EarnedMoment[] } | null {
  const rank = ({ kind }: EarnedMoment) => ['course', 'achievement', 'goal', 'streak'].indexOf(kind)
  const [first] = earned.toSorted((one, other) => rank(one) - rank(other))
  if (!first) return null
  const says = (moment: EarnedMoment) =>
    moment.kind === 'streak' &&
    moment.days === consistentLearner.days &&
    first.kind === 'achievement' &&
    first.id === consistentLearner.id
  return { first, said: earned.filter(says) }
}

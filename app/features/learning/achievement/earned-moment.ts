/** Something that a learner has achieved and not seen celebrated yet. */
export type EarnedMoment =
  | { kind: 'achievement'; id: string }
  /** Every lesson is done. `next`: what is between the learner and the certificate, or the certificate itself. */
  | { kind: 'course'; courseId: string; title: string; next: 'exam' | 'address' | { certificateId: string } }
  | { kind: 'streak'; days: number }

/** The days in a row that an achievement is for. */
const achievementOfDays: Record<number, string> = { 7: 'consistent-learner' }

/** In the order in which they are shown, the greatest first; what another one already says is left out. */
export function momentsToShow(earned: readonly EarnedMoment[]): EarnedMoment[] {
  const achieved = new Set(earned.map((moment) => (moment.kind === 'achievement' ? moment.id : null)))
  const isSaid = (moment: EarnedMoment) =>
    moment.kind === 'streak' && achieved.has(achievementOfDays[moment.days] ?? '')
  const rank = ({ kind }: EarnedMoment) => ['course', 'achievement', 'streak'].indexOf(kind)
  return earned.filter((moment) => !isSaid(moment)).toSorted((one, other) => rank(one) - rank(other))
}

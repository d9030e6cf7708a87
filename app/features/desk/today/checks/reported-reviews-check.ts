import { byCount, formatNumber } from '~/ui/format-count'
import type { Check } from '../check'

/** @param reported reviews whose reports have no answer yet. */
export function checkReportedReviews(reported: number): Check | null {
  if (reported === 0) return null
  return {
    look: 'warn',
    title: byCount(reported, 'Learners reported 1 review', `Learners reported ${formatNumber(reported)} reviews`),
    help: 'Hide what breaks your rules, with a reason that its author reads, or let it stand.',
    to: '/Desk/Reviews?state=reported',
  }
}

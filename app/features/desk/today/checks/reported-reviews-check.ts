import { byCount, formatNumber } from '~/ui/format-count'
import type { Check } from '../check'

/** @param reported the number of reviews with open reports. */
export function checkReportedReviews(reported: number): Check | null {
  if (reported === 0) {
    return null
  }

  return {
    look: 'warn',
    title: byCount(
      reported,
      'Learners reported 1 review',
      `Learners reported ${formatNumber(reported)} reviews`,
    ),
    help: 'Hide reviews that break your rules, with a reason for the author, or keep them.',
    to: '/Desk/Reviews?state=reported',
  }
}

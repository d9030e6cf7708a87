import { byCount, formatNumber } from '~/ui/format-count'
import type { Check } from '../check'

/** @param waiting learners who asked for their money back and have no answer yet. */
export function checkRefundRequests(waiting: number): Check | null {
  if (waiting === 0) {
    return null
  }

  return {
    look: 'warn',
    title: byCount(
      waiting,
      '1 learner waits for an answer about a refund',
      `${formatNumber(waiting)} learners wait for an answer about a refund`,
    ),
    help: 'Give the money back, or decline with a reason that is mailed to them.',
    to: '/Desk/Orders?state=asked',
  }
}

import { byCount, formatNumber } from '~/ui/format-count'
import type { Check } from '../check'

/** @param problems of the last count. */
export function checkOrderProblems(problems: number): Check | null {
  if (problems === 0) {
    return null
  }

  return {
    look: 'bad',
    title: byCount(
      problems,
      '1 order contradicts itself',
      `${formatNumber(problems)} orders contradict themselves`,
    ),
    help: 'Money, receipts or access don’t agree. They are listed by: npm run admin -- orders check',
  }
}

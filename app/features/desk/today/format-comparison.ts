/**
 * Compares a figure with the one of the 30 days before, as in '12% more than in the 30 days before
 * (80)'. Percentages that would say nothing are left out.
 */
export function formatComparison(
  now: number,
  before: number,
  format: (amount: number) => string,
): string {
  const percent = before > 0 ? Math.round(((now - before) / before) * 100) : null
  if (percent === null || percent > 999) {
    return `${format(before)} in the 30 days before`
  }

  if (percent === 0) {
    return `As in the 30 days before (${format(before)})`
  }

  return percent > 0
    ? `${percent}% more than in the 30 days before (${format(before)})`
    : `${-percent}% less than in the 30 days before (${format(before)})`
}

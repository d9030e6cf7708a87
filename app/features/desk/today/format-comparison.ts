/**
 * Compares a figure with the one of the 30 days before, as in '12% more than in the 30 days before
 * (80)'. The percentage is left out if it is unknown or above 999.
 */
export function formatComparison(
  current: number,
  previous: number,
  format: (amount: number) => string,
): string {
  const percent = previous > 0 ? Math.round(((current - previous) / previous) * 100) : null
  if (percent === null || percent > 999) {
    return `${format(previous)} in the 30 days before`
  }

  if (percent === 0) {
    return `As in the 30 days before (${format(previous)})`
  }

  return percent > 0
    ? `${percent}% more than in the 30 days before (${format(previous)})`
    : `${-percent}% less than in the 30 days before (${format(previous)})`
}

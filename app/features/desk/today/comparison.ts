/** How a figure compares with the one before, like '12% more than in the 30 days before (80)'. */
export function comparison(
  now: number,
  before: number,
  format: (amount: number) => string,
): string {
  if (before <= 0) {
    return `${format(before)} in the 30 days before`
  }

  const percent = Math.round(((now - before) / before) * 100)
  if (percent > 999) {
    return `${format(before)} in the 30 days before`
  }

  if (percent === 0) {
    return `As in the 30 days before (${format(before)})`
  }

  return percent > 0
    ? `${percent}% more than in the 30 days before (${format(before)})`
    : `${-percent}% less than in the 30 days before (${format(before)})`
}

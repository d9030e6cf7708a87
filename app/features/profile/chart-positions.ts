/**
 * Computes positions in the charts of exam scores. Horizontal positions are percentages of the
 * chart's width, so that a chart fits any window. Vertical positions are pixels.
 */

/** The area of a chart in which the points are drawn. */
type Plot = {
  /** The space above the plot, in pixels. */
  top: number
  /** The height of the plot, in pixels. */
  height: number
}

/**
 * Returns a function that computes the vertical position of a score. 100% is at the top of the
 * plot, and `minPercent` at its bottom.
 */
export function createVerticalScale({ top, height }: Plot, minPercent: number) {
  return (percent: number): number => {
    const displayedPercent = Math.max(percent, minPercent)
    return top + (height * (100 - displayedPercent)) / (100 - minPercent)
  }
}

/**
 * Returns the horizontal position of a point. Each of `count` points is in the middle of its
 * column.
 */
export function getHorizontalPosition(index: number, count: number): string {
  return `${((index + 0.5) * 100) / count}%`
}

/** An axis that starts above 50% would make small differences look large. */
const maxAxisMinimum = 50
const minPercentBelowLowestScore = 5

/**
 * Returns the lowest percentage on the axis of a chart: a multiple of 10, at least 5 below the
 * lowest score, and at most 50.
 */
export function getAxisMinimum(percents: readonly number[]): number {
  const minimum = Math.min(...percents) - minPercentBelowLowestScore
  const roundedDown = Math.floor(minimum / 10) * 10

  return Math.max(0, Math.min(maxAxisMinimum, roundedDown))
}

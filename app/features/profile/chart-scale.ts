/**
 * Positions of scores in the charts of the profile: percentages horizontally, pixels vertically.
 */

type Plot = {
  /** The space above the plot, in pixels. */
  top: number
  height: number
}

/**
 * Returns a function that computes the vertical position of a score. 100% is at the top of the
 * plot, and `minPercent` at its bottom.
 */
export function createVerticalScale({ top, height }: Plot, minPercent: number) {
  return (percent: number): number => {
    const shownPercent = Math.max(percent, minPercent)
    return top + (height * (100 - shownPercent)) / (100 - minPercent)
  }
}

/**
 * Returns the horizontal position of a point. Each of `count` points is in the middle of its
 * column.
 */
export function getHorizontalPosition(index: number, count: number): string {
  return `${((index + 0.5) * 100) / count}%`
}

/** An axis that began above 50% would make small differences look large. */
const highestMinimum = 50
const roomBelowLowestScore = 5

/**
 * Returns the lowest percentage on the axis of a chart: a multiple of 10, at least 5 below the
 * lowest score, and at most 50.
 */
export function getAxisMinimum(percents: readonly number[]): number {
  const lowestWithRoom = Math.min(...percents) - roomBelowLowestScore
  const roundedDown = Math.floor(lowestWithRoom / 10) * 10

  return Math.max(0, Math.min(highestMinimum, roundedDown))
}

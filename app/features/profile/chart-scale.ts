/** A round number of minutes at or above `highest`, whose half is round as well. */
export function niceMinutes(highest: number): number {
  const round = [30, 60, 90, 120, 180, 240, 360, 480, 720].find((top) => highest <= top)
  return round ?? Math.ceil(highest / 720) * 720
}

/** Where a chart of scores begins: low enough for the lowest, so that the grades above have room. */
export function lowestPercent(percents: readonly number[]): number {
  return Math.max(0, Math.min(50, Math.floor((Math.min(...percents) - 5) / 10) * 10))
}

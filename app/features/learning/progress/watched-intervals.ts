/** The interval `[start, end)` of a lesson or of time, in whole milliseconds. */
export type Interval = readonly [start: number, end: number]

/**
 * Returns the union of intervals: sorted, without overlaps, and with touching intervals joined.
 * Empty intervals are dropped. The union does not depend on the order or on repetitions, so reports
 * can be merged in any order.
 */
export function uniteIntervals(...lists: readonly (readonly Interval[])[]): Interval[] {
  const sortedIntervals = lists
    .flat()
    .filter(([start, end]) => start < end)
    .sort(([oneStart], [otherStart]) => oneStart - otherStart)

  const union: [start: number, end: number][] = []
  for (const [start, end] of sortedIntervals) {
    const lastInterval = union.at(-1)
    if (lastInterval && start <= lastInterval[1]) {
      lastInterval[1] = Math.max(lastInterval[1], end)
    } else {
      union.push([start, end])
    }
  }

  return union
}

const everything: Interval = [0, Number.MAX_SAFE_INTEGER]

/**
 * Returns how many milliseconds the intervals cover.
 *
 * @param union intervals that don't overlap, as `uniteIntervals` returns them
 * @param range only what lies inside this interval is counted
 */
export function coveredMs(union: readonly Interval[], range: Interval = everything): number {
  const [rangeStart, rangeEnd] = range
  let sumMs = 0
  for (const [start, end] of union) {
    const overlapMs = Math.min(end, rangeEnd) - Math.max(start, rangeStart)
    sumMs += Math.max(0, overlapMs)
  }

  return sumMs
}

/**
 * Formats intervals as a PostgreSQL multirange of integers, for example `{[0,1500),[4000,9000)}`.
 */
export function toMultirange(intervals: readonly Interval[]): string {
  const ranges = intervals.map(([start, end]) => `[${start},${end})`)
  return `{${ranges.join(',')}}`
}

/** Parses the format of `toMultirange`. */
export function fromMultirange(multirange: string): Interval[] {
  const ranges = multirange.matchAll(/\[(\d+),(\d+)\)/g)
  return [...ranges].map(([, start, end]) => [Number(start), Number(end)])
}

/** Formats intervals in milliseconds since 1970 as a PostgreSQL multirange of timestamps. */
export function toTimeMultirange(intervals: readonly Interval[]): string {
  const toTimestamp = (ms: number) => new Date(ms).toISOString()
  const ranges = intervals.map(([start, end]) => `[${toTimestamp(start)},${toTimestamp(end)})`)
  return `{${ranges.join(',')}}`
}

/** A half-open piece of a lesson or of time, `[start, end)`, in whole milliseconds. */
export type Interval = readonly [start: number, end: number]

/**
 * The union of intervals: sorted, not overlapping, touching ones joined. It forgets order and
 * repeats, which is what makes reports mergeable. Empty intervals vanish.
 */
export function uniteIntervals(...lists: readonly (readonly Interval[])[]): Interval[] {
  const sorted = lists
    .flat()
    .filter(([start, end]) => end > start)
    .sort((one, other) => one[0] - other[0])
  const united: [number, number][] = []
  for (const [start, end] of sorted) {
    const last = united.at(-1)
    if (last && start <= last[1]) {
      last[1] = Math.max(last[1], end)
    } else {
      united.push([start, end])
    }
  }

  return united
}

/**
 * How much united intervals cover, in milliseconds.
 *
 * @param within counts only what lies inside it.
 */
export function coveredMs(
  united: readonly Interval[],
  within: Interval = [0, Number.MAX_SAFE_INTEGER],
): number {
  return united.reduce(
    (sum, [start, end]) => sum + Math.max(0, Math.min(end, within[1]) - Math.max(start, within[0])),
    0,
  )
}

/** As PostgreSQL writes a multirange of whole numbers: `{[0,1500),[4000,9000)}`. */
export function toMultirange(united: readonly Interval[]): string {
  return `{${united.map(([start, end]) => `[${start},${end})`).join(',')}}`
}

/** Reads what `toMultirange` writes. */
export function fromMultirange(text: string): Interval[] {
  return [...text.matchAll(/\[(\d+),(\d+)\)/g)].map(([, start, end]) => [
    Number(start),
    Number(end),
  ])
}

/** As PostgreSQL reads a multirange of timestamps; the intervals are milliseconds since 1970. */
export function toTimeMultirange(united: readonly Interval[]): string {
  const time = (ms: number) => new Date(ms).toISOString()
  return `{${united.map(([start, end]) => `[${time(start)},${time(end)})`).join(',')}}`
}

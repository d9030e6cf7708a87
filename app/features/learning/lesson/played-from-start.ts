import type { Interval } from '../course-work/watched-intervals'

/** Firefox counts a stretch as played from its first `timeupdate` on, which comes up to this late. */
const lateMs = 1_000

/** A start is noticed while the film already plays. */
const toleranceMs = 100

/**
 * What was played, each stretch from where it began.
 *
 * @param played as the browser says, in milliseconds.
 * @param starts where the film began to play, or went on after it was sought.
 */
export function playedFromStart(played: readonly Interval[], starts: readonly number[]): Interval[] {
  return played.map(([start, end]): Interval => {
    // The latest one, because between two of them the film was sought.
    const begun = Math.max(...starts.filter((at) => at <= start + toleranceMs))
    return [start - begun <= lateMs ? Math.min(start, begun) : start, end]
  })
}

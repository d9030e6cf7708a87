import { type Interval, uniteIntervals } from './watched-intervals'

/**
 * A learner's progress in one lesson.
 *
 * Browsers report progress late, twice, out of order, and from several devices. Each part therefore
 * merges by itself, and merging is commutative, associative and idempotent. Times are milliseconds
 * since 1970 by the server's clock.
 */
export type LessonProgress = {
  /** The parts of the video that were really played, in milliseconds of the lesson. */
  watched: readonly Interval[]
  /** Where the video resumes. */
  position: { ms: number; at: number } | null
  /** What the learner said with the button "Mark as done". */
  mark: { value: Mark; at: number } | null
  /** The IDs of the quiz questions that were answered, sorted. */
  answered: readonly string[]
  /** Whether the end of the article was on the screen. */
  readToEnd: boolean
}

export type Mark = 'done' | 'undone'

export const emptyProgress: LessonProgress = {
  watched: [],
  position: null,
  mark: null,
  answered: [],
  readToEnd: false,
}

export function mergeProgress(one: LessonProgress, other: LessonProgress): LessonProgress {
  return {
    watched: uniteIntervals(one.watched, other.watched),
    position: pickLater(one.position, other.position, (position) => position.ms),
    mark: pickLater(one.mark, other.mark, (mark) => (mark.value === 'done' ? 1 : 0)),
    answered: [...new Set([...one.answered, ...other.answered])].sort(),
    readToEnd: one.readToEnd || other.readToEnd,
  }
}

/** Returns the later part. Of two with the same time, the higher rank decides, whatever the order. */
function pickLater<Part extends { at: number }>(
  one: Part | null,
  other: Part | null,
  getRank: (part: Part) => number,
): Part | null {
  if (!one || !other) {
    return one ?? other
  }

  if (one.at !== other.at) {
    return one.at > other.at ? one : other
  }

  return getRank(one) >= getRank(other) ? one : other
}

import { type Interval, uniteIntervals } from './watched-intervals'

/**
 * A learner's progress in one lesson.
 *
 * Browsers report progress late, twice, out of order, and from several devices. Each field is
 * therefore merged by itself, and merging is commutative, associative and idempotent.
 *
 * Each `at` is a time in milliseconds since 1970 by the server's clock. The browser learns the
 * server's time when the lesson is opened, and adds the time that has passed since, so that a wrong
 * clock of the device does no harm.
 */
export type LessonProgress = {
  /** The intervals of the video that were played, in milliseconds from its start. None overlap. */
  watched: readonly Interval[]
  /** Where the video resumes, in milliseconds from its start. */
  position: { ms: number; at: number } | null
  /** What the learner last chose with the button that marks the lesson as done or not done. */
  mark: { value: Mark; at: number } | null
  /** The IDs of the answered quiz questions, sorted. */
  answered: readonly string[]
  /** Whether the end of the article was on the screen. */
  readToEnd: boolean
}

export type Mark = 'done' | 'undone'

/** Identifies the progress of a learner in a lesson. */
export type LearnerLesson = { uid: string; courseId: string; lessonId: string }

export const emptyProgress: LessonProgress = {
  watched: [],
  position: null,
  mark: null,
  answered: [],
  readToEnd: false,
}

/** Merges two reports, or a report with the stored progress. */
export function mergeProgress(one: LessonProgress, other: LessonProgress): LessonProgress {
  const answeredIds = new Set([...one.answered, ...other.answered])

  return {
    watched: uniteIntervals(one.watched, other.watched),
    // If two positions have the same time, the one further in the video wins.
    position: pickLater(one.position, other.position, ({ ms }) => ms),
    // If two marks have the same time, "done" wins.
    mark: pickLater(one.mark, other.mark, ({ value }) => (value === 'done' ? 1 : 0)),
    answered: [...answeredIds].sort(),
    readToEnd: one.readToEnd || other.readToEnd,
  }
}

/**
 * Returns the later of two values. If their times are equal, the higher rank decides, so that the
 * result does not depend on the order of the arguments.
 */
function pickLater<Value extends { at: number }>(
  one: Value | null,
  other: Value | null,
  getRank: (value: Value) => number,
): Value | null {
  if (one === null || other === null) {
    return one ?? other
  }

  if (one.at !== other.at) {
    return one.at > other.at ? one : other
  }

  return getRank(one) >= getRank(other) ? one : other
}

import { coveredMs, type Interval, uniteIntervals } from './watched-intervals'

export type Mark = 'done' | 'undone'

/**
 * What a learner did in one lesson. Times are milliseconds since 1970 by the server's clock. Each part merges by
 * itself, so that reports may come twice, late, out of order or from two devices.
 */
export type LessonWork = {
  /** What was really played, in milliseconds of the lesson, united. */
  watched: readonly Interval[]
  /** Where to go on. */
  position: { ms: number; at: number } | null
  /** The learner's own word. */
  mark: { value: Mark; at: number } | null
  /** Ids of the quiz questions that were answered, sorted. */
  answered: readonly string[]
  /** An article's last line was on the screen. */
  readToEnd: boolean
}

export const noWork: LessonWork = { watched: [], position: null, mark: null, answered: [], readToEnd: false }

export type LessonKind = 'video' | 'article' | 'quiz' | 'announced'

/** Of its length, how much of a video has to be really played. */
export const watchedShare = 0.9

/** A video that was left so close to its end begins anew. */
export const atEndSeconds = 2

/**
 * Merges two reports: commutative, associative and idempotent. `lesson-work-queries.server.ts` says the same in SQL, but
 * takes no further pieces of a film that was played in more than `learnerLimits` allows.
 */
export function mergeWork(one: LessonWork, other: LessonWork): LessonWork {
  return {
    watched: uniteIntervals(one.watched, other.watched),
    position: later(one.position, other.position, (position) => position.ms),
    mark: later(one.mark, other.mark, (mark) => (mark.value === 'done' ? 1 : 0)),
    answered: [...new Set([...one.answered, ...other.answered])].sort(),
    readToEnd: one.readToEnd || other.readToEnd,
  }
}

/** The one with the later time of its own; at the same time the one of the higher rank, so that order never matters. */
function later<Part extends { at: number }>(one: Part | null, other: Part | null, rank: (part: Part) => number) {
  if (!one || !other) return one ?? other
  if (one.at !== other.at) return one.at > other.at ? one : other
  return rank(one) >= rank(other) ? one : other
}

type Lesson = { kind: LessonKind; durationSeconds: number; questionIds: readonly string[] }

/**
 * Whether the work finishes the lesson: a video when 90 % of its length was really played, a quiz when every question
 * was answered, an article when the learner marked it. The learner's latest mark outweighs all of that.
 */
export function isLessonDone(lesson: Lesson, work: LessonWork): boolean {
  return work.mark ? work.mark.value === 'done' : isLessonEarned(lesson, work)
}

/** The same without the learner's mark. */
function isLessonEarned({ kind, durationSeconds, questionIds }: Lesson, { watched, answered }: LessonWork): boolean {
  if (kind === 'video') {
    return coveredMs(watched, [0, durationSeconds * 1000]) >= durationSeconds * 1000 * watchedShare
  }
  return kind === 'quiz' && questionIds.every((id) => answered.includes(id))
}

import { coveredMs, type Interval, uniteIntervals } from './watched-intervals'

export type Mark = 'done' | 'undone'

/**
 * A learner's work in one lesson. Times are milliseconds since 1970 by the server's clock. Each
 * part merges by itself, so reports may arrive twice, late, out of order or from two devices.
 */
export type LessonWork = {
  /** What was really played, in milliseconds of the lesson, united. */
  watched: readonly Interval[]
  /** Where to resume. */
  position: { ms: number; at: number } | null
  /** The learner's own mark. */
  mark: { value: Mark; at: number } | null
  /** Ids of the quiz questions that were answered, sorted. */
  answered: readonly string[]
  /** An article's last line was on the screen. */
  readToEnd: boolean
}

export const noWork: LessonWork = {
  watched: [],
  position: null,
  mark: null,
  answered: [],
  readToEnd: false,
}

export type LessonKind = 'video' | 'article' | 'quiz' | 'announced'

/** The share of a video that has to be played. */
export const watchedShare = 0.9

/** A video left this close to its end starts over. */
export const atEndSeconds = 2

/** Merges two reports: commutative, associative and idempotent. */
export function mergeWork(one: LessonWork, other: LessonWork): LessonWork {
  return {
    watched: uniteIntervals(one.watched, other.watched),
    position: later(one.position, other.position, (position) => position.ms),
    mark: later(one.mark, other.mark, (mark) => (mark.value === 'done' ? 1 : 0)),
    answered: [...new Set([...one.answered, ...other.answered])].sort(),
    readToEnd: one.readToEnd || other.readToEnd,
  }
}

/** The later one by its own time; on a tie, the one of higher rank, so order never matters. */
function later<Part extends { at: number }>(
  one: Part | null,
  other: Part | null,
  rank: (part: Part) => number,
) {
  if (!one || !other) {
    return one ?? other
  }

  if (one.at !== other.at) {
    return one.at > other.at ? one : other
  }

  return rank(one) >= rank(other) ? one : other
}

/** The parts of a lesson that the rules look at. */
export type LessonMaterial = {
  kind: LessonKind
  durationSeconds: number
  questionIds: readonly string[]
}

/**
 * Whether a lesson is done. The learner's latest mark outweighs everything else; without one it is
 * done once it was earned, and stays so whatever becomes of its material.
 *
 * @param earnedBefore whether earlier work had earned it already.
 */
export function isLessonDone(
  lesson: LessonMaterial,
  work: LessonWork,
  earnedBefore = false,
): boolean {
  return work.mark ? work.mark.value === 'done' : earnedBefore || isLessonEarned(lesson, work)
}

/** The stored facts of a lesson that a certificate may count. */
type WorkedLesson = {
  kind: LessonKind
  /** Whether watching or answering finished it once. */
  earned: boolean
  done: boolean
  readToEnd: boolean
}

export type CertifiableLesson = WorkedLesson & { durationSeconds: number }

/**
 * Whether a certificate may say that a lesson was completed: a video that was watched, a quiz that
 * was answered, an article that was read to the end. A lesson that was only marked as done counts
 * toward progress, not here.
 */
export function countsForCertificate({ kind, earned, done, readToEnd }: WorkedLesson): boolean {
  if (kind === 'announced') {
    return false
  }

  return earned || (kind === 'article' && done && readToEnd)
}

export function certifiedLessons(lessons: readonly CertifiableLesson[]): {
  lessons: number
  materialSeconds: number
} {
  const certified = lessons.filter(countsForCertificate)
  return {
    lessons: certified.length,
    materialSeconds: certified.reduce((sum, { durationSeconds }) => sum + durationSeconds, 0),
  }
}

/**
 * A video is earned once `watchedShare` of it was really played, a quiz once every question was
 * answered.
 */
export function isLessonEarned(
  { kind, durationSeconds, questionIds }: LessonMaterial,
  work: LessonWork,
): boolean {
  const lengthMs = durationSeconds * 1000
  if (kind === 'video') {
    return coveredMs(work.watched, [0, lengthMs]) >= lengthMs * watchedShare
  }

  return kind === 'quiz' && questionIds.every((id) => work.answered.includes(id))
}

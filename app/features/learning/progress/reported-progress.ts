import { hasMaterial } from '~/features/courses/lessons/lesson-kinds'
import { learnerLimits } from '~/features/enrollment/learner-limits'
import type { FinishableLesson } from '../lessons/kinds/lesson-kind-rules'
import { lessonRules } from '../lessons/kinds/lesson-rules'
import { type LessonProgress, mergeProgress } from './lesson-progress'
import type { Interval } from './watched-intervals'

/** A report of a learner's browser about their progress in a lesson. */
export type ReceivedReport = {
  progress: LessonProgress
  /** When the learner was active, in milliseconds since 1970. */
  studyIntervals: readonly Interval[]
  /**
   * Quiz questions that were answered incorrectly since the lesson was opened. Practice asks them
   * again.
   */
  missedQuestions?: { ids: readonly string[]; lessonOpenedAt: Date }
  /** The lesson's length when it was opened, if it is known. */
  openedLengthMs?: number
  /** When the report arrived, by the server's clock. */
  receivedAt: Date
}

/** Why nothing was stored. `report-messages.ts` has the HTTP status and the sentence of each. */
export type ProgressRefusal =
  | 'signed-out'
  | 'other-learner'
  | 'no-lesson'
  | 'not-enrolled'
  | 'announced'
  | 'beyond-length'
  | 'unread'

/**
 * Whether the browser's session belongs to the learner of the report, and may report for the
 * course.
 */
type ReporterAccess = { session: 'own' | 'other' | 'none'; isEnrolled: boolean }

/** Returns why reported progress must not be stored, or null if it may. */
export function findProgressRefusal(
  { session, isEnrolled }: ReporterAccess,
  lesson: FinishableLesson,
  { progress, openedLengthMs = lesson.durationSeconds * 1000 }: ReceivedReport,
): ProgressRefusal | null {
  if (session === 'none') {
    return 'signed-out'
  }

  if (session === 'other') {
    return 'other-learner'
  }

  if (!isEnrolled) {
    return 'not-enrolled'
  }

  if (!hasMaterial(lesson)) {
    return 'announced'
  }

  const lastWatchedMs = progress.watched.at(-1)?.[1] ?? 0
  const positionMs = progress.position?.ms ?? 0
  if (Math.max(positionMs, lastWatchedMs) > openedLengthMs) {
    return 'beyond-length'
  }

  const isMarkedDone = progress.mark?.value === 'done'
  if (isMarkedDone && !lessonRules[lesson.kind].canBeMarkedDone(progress)) {
    return 'unread'
  }

  return null
}

/** Returns the part of the progress that still fits the lesson, which may have changed. */
export function fitProgressToLesson(
  lesson: FinishableLesson,
  progress: LessonProgress,
): LessonProgress {
  const { position } = progress
  const lengthMs = lesson.durationSeconds * 1000

  return {
    mark: progress.mark,
    position: position && { ...position, ms: Math.min(position.ms, lengthMs) },
    ...lessonRules[lesson.kind].fitProgressToLesson(lesson, progress),
  }
}

/**
 * Merges reported into stored progress. What was watched stays as it was if the result had more
 * pieces than the limit: nobody watches like that, and reading it would be slow.
 */
export function mergeWithinLimit(stored: LessonProgress, reported: LessonProgress): LessonProgress {
  const merged = mergeProgress(stored, reported)
  const isWithinLimit = merged.watched.length <= learnerLimits.watchedIntervals
  return isWithinLimit ? merged : { ...merged, watched: stored.watched }
}

/**
 * Returns the lesson with the shorter of two lengths: the present one, and the one it had when it
 * was opened. So a learner who finished a video offline has finished it, although the video was
 * replaced by a longer one in the meantime.
 */
export function applyOpenedLength(
  lesson: FinishableLesson,
  openedLengthMs = Number.POSITIVE_INFINITY,
): FinishableLesson {
  const durationSeconds = Math.min(lesson.durationSeconds, openedLengthMs / 1000)
  return { ...lesson, durationSeconds }
}

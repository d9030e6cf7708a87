import { hasMaterial, type LessonKind } from '~/features/courses/lessons/lesson-kinds'

/**
 * How much of a course a learner has finished, weighted by lesson length. Only lessons that have
 * material and still are in the curriculum count.
 *
 * @returns whole percent, 0 to 100, rounded down: only a finished course shows 100. 0 for a course
 * without material.
 */
export function courseProgressPercent({
  doneSeconds,
  totalSeconds,
}: {
  doneSeconds: number
  totalSeconds: number
}) {
  if (totalSeconds <= 0) {
    return 0
  }

  return Math.min(100, Math.floor((doneSeconds * 100) / totalSeconds))
}

type Weighed = { kind: LessonKind; durationSeconds: number; done: boolean }

/** Explains a percentage: lessons count by their length, and only lessons with material count. */
export type ProgressFigures = {
  percent: number
  doneSeconds: number
  totalSeconds: number
  doneLessons: number
  totalLessons: number
}

/** The figures of a course, or of one of its sections. */
export function summarizeProgress(lessons: readonly Weighed[]): ProgressFigures {
  const counting = lessons.filter(hasMaterial)
  const done = counting.filter((lesson) => lesson.done)
  const doneSeconds = secondsOf(done)
  const totalSeconds = secondsOf(counting)

  return {
    percent: courseProgressPercent({ doneSeconds, totalSeconds }),
    doneSeconds,
    totalSeconds,
    doneLessons: done.length,
    totalLessons: counting.length,
  }
}

function secondsOf(lessons: readonly Weighed[]): number {
  return lessons.reduce((sum, lesson) => sum + lesson.durationSeconds, 0)
}

import { hasMaterial, type LessonKind } from '~/features/courses/lessons/lesson-kinds'

/**
 * Returns how much of a course a learner has finished, in whole percent from 0 to 100. Lessons are
 * weighted by their length. A course without material has 0 percent.
 *
 * The result is rounded down, so that only a finished course shows 100 percent.
 */
export function courseProgressPercent({
  doneSeconds,
  totalSeconds,
}: {
  doneSeconds: number
  totalSeconds: number
}): number {
  if (totalSeconds <= 0) {
    return 0
  }

  const percent = Math.floor((doneSeconds * 100) / totalSeconds)
  return Math.min(100, percent)
}

type LessonForProgress = { kind: LessonKind; durationSeconds: number; done: boolean }

export type ProgressFigures = {
  percent: number
  doneSeconds: number
  totalSeconds: number
  doneLessons: number
  totalLessons: number
}

/** Sums up the progress in a course or in one of its sections. Only lessons with material count. */
export function summarizeProgress(lessons: readonly LessonForProgress[]): ProgressFigures {
  const countedLessons = lessons.filter(hasMaterial)
  const doneLessons = countedLessons.filter((lesson) => lesson.done)
  const totalSeconds = sumDurations(countedLessons)
  const doneSeconds = sumDurations(doneLessons)

  return {
    percent: courseProgressPercent({ doneSeconds, totalSeconds }),
    doneSeconds,
    totalSeconds,
    doneLessons: doneLessons.length,
    totalLessons: countedLessons.length,
  }
}

function sumDurations(lessons: readonly LessonForProgress[]): number {
  return lessons.reduce((sum, lesson) => sum + lesson.durationSeconds, 0)
}

import { hasMaterial } from '~/features/courses/lessons/lesson-kinds'
import type { FinishableLesson } from '../lessons/kinds/lesson-kind-rules'
import { isLessonEarned, lessonRules } from '../lessons/kinds/lesson-rules'
import type { LessonProgress } from './lesson-progress'

/** Why a lesson is done or not, for staff. */
export type LessonReason = { counts: boolean; reason: string }

type StoredLesson = FinishableLesson & { retired: boolean }

/**
 * Explains to staff why a lesson is done or not.
 *
 * @param earnedAt when watching or answering finished the lesson for the first time, or null
 */
export function explainLesson(
  lesson: StoredLesson,
  progress: LessonProgress,
  earnedAt: Date | null,
): LessonReason {
  if (!hasMaterial(lesson) && !lesson.retired) {
    return { counts: false, reason: 'announced: it has no material yet' }
  }

  const reasons = [
    describeMark(progress),
    lessonRules[lesson.kind].describeProgress(lesson, progress),
    describeEnd(lesson, progress, earnedAt),
  ].filter((reason) => reason !== null)

  if (reasons.length === 0) {
    reasons.push('not started')
  }

  if (lesson.retired) {
    reasons.push('no longer in the course')
  }

  return { counts: !lesson.retired, reason: reasons.join('; ') }
}

function describeMark({ mark }: LessonProgress): string | null {
  if (!mark) {
    return null
  }

  const day = formatDay(new Date(mark.at))
  return mark.value === 'done'
    ? `marked as done by the learner on ${day}`
    : `the learner took the mark back on ${day}`
}

function describeEnd(
  lesson: FinishableLesson,
  progress: LessonProgress,
  earnedAt: Date | null,
): string | null {
  if (earnedAt) {
    return `finished on ${formatDay(earnedAt)}`
  }

  // A lesson that became shorter may be earned although no report has said so.
  const isEarnedSinceChange = !progress.mark && isLessonEarned(lesson, progress)
  return isEarnedSinceChange
    ? 'that’s enough since the lesson changed: done at the next visit'
    : null
}

/** Returns a day like 2026-11-22. */
function formatDay(date: Date): string {
  return date.toISOString().slice(0, 10)
}

import type { LessonKind } from '~/features/courses/lessons/lesson-kinds'
import type { LessonProgress } from '../../progress/lesson-progress'
import { announcedRules } from './announced/announced-rules'
import { articleRules } from './article/article-rules'
import type { FinishableLesson, LessonKindRules } from './lesson-kind-rules'
import { quizRules } from './quiz/quiz-rules'
import { requiredShare, videoRules } from './video/video-rules'

/** When a lesson of each kind is finished. */
export const lessonRules: Record<LessonKind, LessonKindRules> = {
  video: videoRules,
  article: articleRules,
  quiz: quizRules,
  announced: announcedRules,
}

/** Explains the rules of all kinds to learners. */
export const completionRulesText = `A video counts once you’ve played ${requiredShare * 100}% of it, and a quiz once you’ve answered every question. You can also mark either as done yourself. An article counts once you’ve read to the end and marked it as done. Planned lessons don’t count yet.`

export function isLessonEarned(lesson: FinishableLesson, progress: LessonProgress): boolean {
  return lessonRules[lesson.kind].isEarned(lesson, progress)
}

/**
 * Whether a lesson is done. The learner's latest mark outweighs everything else. Without a mark,
 * the lesson is done once it was earned, and stays done whatever becomes of its material.
 *
 * @param wasEarned whether earlier progress had earned the lesson already
 */
export function isLessonDone(
  lesson: FinishableLesson,
  progress: LessonProgress,
  wasEarned = false,
): boolean {
  if (progress.mark) {
    return progress.mark.value === 'done'
  }

  return wasEarned || isLessonEarned(lesson, progress)
}

/** A lesson with a learner's stored progress in it. A certificate may count the lesson. */
type StoredLesson = { kind: LessonKind; earned: boolean; done: boolean; readToEnd: boolean }

/**
 * Whether a certificate may say that a lesson was completed. A lesson that was only marked as done
 * counts toward progress, but not here.
 */
export function countsForCertificate({ kind, earned, done, readToEnd }: StoredLesson): boolean {
  return lessonRules[kind].countsForCertificate({ isEarned: earned, isDone: done, readToEnd })
}

export type LessonWithProgress = StoredLesson & { durationSeconds: number }

/** Returns how many lessons a certificate counts, and their length together. */
export function sumCertifiedLessons(lessons: readonly LessonWithProgress[]): {
  lessons: number
  materialSeconds: number
} {
  const certified = lessons.filter(countsForCertificate)
  const materialSeconds = certified.reduce((sum, { durationSeconds }) => sum + durationSeconds, 0)
  return { lessons: certified.length, materialSeconds }
}

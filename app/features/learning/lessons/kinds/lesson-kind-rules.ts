import type { LessonKind } from '~/features/courses/lessons/lesson-kinds'
import type { LessonProgress } from '../../progress/lesson-progress'

/** What the rules need to know about a lesson. */
export type FinishableLesson = {
  kind: LessonKind
  durationSeconds: number
  /** The questions of a quiz. */
  questionIds: readonly string[]
}

/**
 * The rules that decide when a kind of lesson is finished.
 *
 * A lesson is "earned" once the learner has really watched or answered it. A lesson is "done" once
 * it is earned or the learner has marked it. Progress counts done lessons. Certificates count only
 * what `countsForCertificate` says.
 */
export type LessonKindRules = {
  isEarned(lesson: FinishableLesson, progress: LessonProgress): boolean

  /** Whether the learner may mark the lesson as done. */
  canBeMarkedDone(progress: LessonProgress): boolean

  /** Whether a mark finishes the lesson as properly as watching or answering finishes others. */
  isFinishedByMark: boolean

  countsForCertificate(lesson: { isEarned: boolean; isDone: boolean; readToEnd: boolean }): boolean

  /**
   * Returns the part of the reported progress that fits the lesson, which may have changed since.
   */
  fitProgressToLesson(
    lesson: FinishableLesson,
    progress: LessonProgress,
  ): Pick<LessonProgress, 'watched' | 'answered' | 'readToEnd'>

  /** Returns the progress of a learner who finished everything at a time. */
  getFinishedProgress(lesson: FinishableLesson, finishedAt: number): LessonProgress

  /** Tells staff how far the learner has come. It returns null if the learner hasn't begun. */
  describeProgress(lesson: FinishableLesson, progress: LessonProgress): string | null

  /** How an earned lesson is listed among the learner's activities. */
  activity: { type: 'lesson' | 'quiz'; verb: 'finished' | 'answered' }

  texts: {
    /** What a certificate needs of a lesson that was only marked, for example "Watch 90% of it". */
    certificateCondition: string
    /** The text beside "Mark as done", if the mark counts toward progress only. */
    markedButNotEarned: string | null
    /** The text beside "Mark as done", while the lesson can't be marked yet. */
    cannotBeMarkedYet: string | null
  }
}

import type { ReactNode, Ref } from 'react'
import type { LessonProgress } from '../../progress/lesson-progress'
import type { ProgressReporter } from '../../report/progress-reporter'
import type { LessonEntry, OpenLesson } from '../lesson-page-data'
import type { NextStep, NextStepNavigation } from '../next-step'
import type { Cue } from './video/transcript-panel'
import type { PlayerHandle } from './video/video-player'

/** How the page of a lesson displays one kind of lesson. */
export type LessonView<Material> = {
  /** Whether the lesson plays, so that a note belongs to a moment of it. */
  hasPlaybackTime: boolean

  /** Whether the lesson displays its own table of contents, for which the page needs more width. */
  hasTableOfContents: boolean

  /** Returns what is spoken in the lesson. The list is empty for a lesson without a transcript. */
  getTranscript(material: Material): readonly Cue[]

  Lesson(props: LessonViewProps<Material>): ReactNode
}

export type LessonViewProps<Material> = {
  material: Material
  /** A handle with which other parts of the page control the video. */
  ref: Ref<PlayerHandle>
  courseId: string
  lesson: OpenLesson
  progress: LessonProgress
  isDone: boolean
  /** The second at which a link asks the video to start. */
  startSeconds: number | null
  /** Whether the video starts to play by itself. */
  shouldPlay: boolean
  nextStep: NextStep
  /** Opens the next step. */
  navigation: NextStepNavigation
  /** All lessons of the course. */
  lessons: readonly LessonEntry[]
  reporter: Pick<
    ProgressReporter,
    | 'recordPlayed'
    | 'recordReadToEnd'
    | 'recordMark'
    | 'recordAnswer'
    | 'recordMissedQuestion'
    | 'flush'
  >
  /** Called with the position of the video, several times a second. */
  onPlaybackTime(seconds: number): void
}

import type { LessonKind } from '~/features/courses/lessons/lesson-kinds'
import type { LessonProgress } from '../progress/lesson-progress'

/** A lesson in the curriculum at the side. */
export type LessonEntry = {
  id: string
  title: string
  kind: LessonKind
  durationSeconds: number
  done: boolean
  bookmarked: boolean
  /** Files to download, and their size together. */
  downloads: { count: number; bytes: number }
}

export type SectionEntry = {
  id: string
  title: string
  /** All lectures the section will have, those that the curriculum does not list yet included. */
  lectures: number
  lessons: LessonEntry[]
}

export type LessonNote = {
  id: string
  lessonId: string
  lessonTitle: string
  positionMs: number
  body: string
  /** Rendered by the server when it was saved, safe. */
  html: string
  /** ISO date-time. */
  updatedAt: string
}

/** The notes in the panel. */
export type NotesPage = {
  scope: 'lesson' | 'course'
  /** How many notes of the scope come before this page of them. */
  from: number
  /** Of the scope. */
  total: number
  inLesson: number
  inCourse: number
  list: LessonNote[]
}

/** A file of the open lesson; `kind` as a learner reads it: 'Python', 'CSV data'. */
type LessonDownload = { file: string; title: string; kind: string; bytes: number }

/** The lesson that is open. */
export type OpenLesson = Omit<LessonEntry, 'bookmarked' | 'downloads'> & {
  sectionTitle: string | null
  /** It left the curriculum; the learner's work in it stays. */
  retired: boolean
  /** The questions of a quiz. */
  questionIds: string[]
  downloads: LessonDownload[]
  progress: LessonProgress
}

/** A lesson that left the curriculum after the learner had finished it. */
export type RetiredLesson = { id: string; title: string }

export type LessonPageData = {
  /**
   * `completedAt` is an ISO date-time; null while lessons are open. A certificate waits for a
   * confirmed address.
   */
  course: {
    id: string
    title: string
    completedAt: string | null
    certificate: { id: string; revoked: boolean } | null
    certificateWaits: boolean
  }
  sections: SectionEntry[]
  retired: RetiredLesson[]
  lesson: OpenLesson
  notes: NotesPage
}

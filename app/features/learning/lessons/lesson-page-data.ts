import type { LessonKind } from '~/features/courses/lessons/lesson-kinds'
import type { LessonProgress } from '../progress/lesson-progress'

/** A lesson in the list of lessons. */
export type LessonEntry = {
  id: string
  title: string
  kind: LessonKind
  durationSeconds: number
  done: boolean
  bookmarked: boolean
  /** The number of files to download, and their total size. */
  downloads: { count: number; bytes: number }
}

export type SectionEntry = {
  id: string
  title: string
  /** How many lessons the section will have, including those that are not listed yet. */
  lectures: number
  lessons: LessonEntry[]
}

export type LessonNote = {
  id: string
  lessonId: string
  lessonTitle: string
  positionMs: number
  body: string
  /** Safe HTML, which the server rendered when the note was saved. */
  html: string
  /** An ISO date-time. */
  updatedAt: string
}

/** One page of the notes in the panel. */
export type NotesPage = {
  scope: 'lesson' | 'course'
  /** How many notes of the scope precede this page. */
  from: number
  /** How many notes the scope has. */
  total: number
  inLesson: number
  inCourse: number
  list: LessonNote[]
}

/** A file of the open lesson. `kind` is a text like 'Python' or 'CSV data'. */
type LessonDownload = { file: string; title: string; kind: string; bytes: number }

/** The lesson that the page displays. */
export type OpenLesson = Omit<LessonEntry, 'bookmarked' | 'downloads'> & {
  sectionTitle: string | null
  /** Whether the lesson is no longer in the course. The learner's progress in it stays. */
  retired: boolean
  /** The questions of a quiz. */
  questionIds: string[]
  downloads: LessonDownload[]
  progress: LessonProgress
}

/** A lesson that the learner has finished, but that is no longer in the course. */
export type RetiredLesson = { id: string; title: string }

export type LessonPageData = {
  course: {
    id: string
    title: string
    /** An ISO date-time, or null while lessons are open. */
    completedAt: string | null
    certificate: { id: string; revoked: boolean } | null
    /** Whether the certificate is earned, and only the email address has to be confirmed. */
    certificateWaits: boolean
  }
  sections: SectionEntry[]
  retired: RetiredLesson[]
  lesson: OpenLesson
  notes: NotesPage
}

/** The columns of `course_lessons` that have a lesson's material. Each kind uses its own. */
export type StoredMaterial = {
  /** Video: the URL of its media files without their extension, like /media/courses/c/videos/v. */
  video: string | null
  /** Article: Markdown. */
  article: string | null
  /** Quiz. */
  questions: StoredQuizQuestion[] | null
}

export type StoredQuizQuestion = {
  question: string
  explanation: string
  hint?: string
  /** As in course.yaml; see `explaining-place.ts`. */
  explainedIn?: string
  options: { text: string; correct: boolean }[]
}

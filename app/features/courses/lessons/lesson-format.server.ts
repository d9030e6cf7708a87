import * as z from 'zod'
import { writeFormulasAsText } from '~/server/markdown/formula-text.server'
import { aliases, explainedIn, line, slug, text } from '~/server/validation/content-fields'
import type { ContentReader } from '../content/content-reader.server'
import { downloadExtensions, downloadNamePattern } from '../content/download-files.server'

/**
 * A title or another text in one line. It is also shown in tabs, emails, search results and on
 * certificates, which can't draw formulas, so its formulas are stored as readable text.
 */
export const readableLine = (maxLength: number) => line(maxLength).overwrite(writeFormulasAsText)

/** How a kind of lesson is written in the content folder, and what of it is stored. */
export interface LessonFormat<Lesson> {
  /** The format of the lesson's entry in course.yaml. */
  schema: z.ZodType<Lesson>

  /** Returns the names of the files in the folder `lessons/` that belong to the lesson. */
  listTextFiles(lesson: Lesson): string[]

  /**
   * Reads the text of the lesson, and reports every problem of its entry and its files.
   *
   * @returns the text; null for a kind that has none
   */
  read(reader: ContentReader, location: LessonLocation<Lesson>): Promise<string | null>

  /** Returns the questions that learners answer in the lesson. */
  listQuestions(lesson: Lesson): readonly QuizQuestion[]

  /**
   * Returns why the lesson doesn't have the place that a question names as its explanation, like
   * `lesson-id#anchor`. Kinds without this function can't explain a question.
   */
  findAnchorProblem?(lesson: Lesson, anchor: string, lessonText: string): string | null

  /** Returns the lesson's material as it is stored in `course_lessons`. */
  getStoredMaterial(
    lesson: Lesson,
    source: { courseId: string; lessonText: string | null },
  ): StoredMaterial
}

export type LessonLocation<Lesson> = {
  lesson: Lesson
  /** The folder of the course, like `courses/python`. */
  folder: string
  /** Where the lesson's entry is in course.yaml. */
  yamlPath: readonly PropertyKey[]
}

/** The columns of `course_lessons` that have a lesson's material. Each kind uses its own. */
export type StoredMaterial = {
  /** Video: the URL of its media files without their extension, like /media/courses/c/videos/v. */
  video: string | null
  /** Article: Markdown. */
  article: string | null
  /** Quiz. */
  questions: QuizQuestion[] | null
}

export const noMaterial: StoredMaterial = { video: null, article: null, questions: null }

/** The keys of course.yaml that every lesson has, whatever its kind. */
export const commonLessonFields = {
  id: slug,
  aliases,
  title: readableLine(120),
  /** Whole seconds, at most a day. */
  durationSeconds: z.int().positive().max(86_400),
}

const download = z.strictObject({
  /** The name of a file in the course's folder `downloads/`. */
  file: z
    .string()
    .max(80)
    .regex(
      downloadNamePattern,
      `Use letters, digits, hyphens and underscores, and one of the extensions ${downloadExtensions.join(', ')}.`,
    ),
  /** A description, like 'Starter code' or 'Practice data: 1,200 orders'. */
  title: readableLine(120),
})

/** The keys of course.yaml that every lesson with material has. */
export const commonMaterialFields = {
  ...commonLessonFields,
  /** Whether visitors may open the lesson. */
  preview: z.boolean().default(false),
  /** Files that learners may download. */
  downloads: z.array(download).max(20).default([]),
}

export const quizQuestionSchema = z.strictObject({
  question: line(500),
  /** Shown with the solution. */
  explanation: text,
  /** Shown before an answer to learners who ask for it. */
  hint: text.optional(),
  explainedIn: explainedIn.optional(),
  options: z
    .array(z.strictObject({ text: line(300), correct: z.boolean().default(false) }))
    .min(2)
    .max(6),
})

export type QuizQuestion = z.infer<typeof quizQuestionSchema>

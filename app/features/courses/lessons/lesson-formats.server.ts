import * as z from 'zod'
import { announcedFormat } from './kinds/announced.server'
import { articleFormat } from './kinds/article.server'
import { quizFormat } from './kinds/quiz.server'
import { videoFormat } from './kinds/video.server'
import type { LessonFormat } from './lesson-format.server'
import type { LessonKind } from './lesson-kinds'

/** How each kind of lesson is written in the content folder. */
const lessonFormats = {
  video: videoFormat,
  article: articleFormat,
  quiz: quizFormat,
  announced: announcedFormat,
} satisfies Record<LessonKind, unknown>

/** A lesson in the curriculum of course.yaml. */
export const lessonSchema = z.discriminatedUnion('kind', [
  videoFormat.schema,
  articleFormat.schema,
  quizFormat.schema,
  announcedFormat.schema,
])

export type Lesson = z.infer<typeof lessonSchema>

/** Returns the format of a lesson. Its functions may only be called with this lesson. */
export function getLessonFormat(lesson: Lesson): LessonFormat<Lesson> {
  return lessonFormats[lesson.kind]
}

import type { StoredMaterial } from '~/features/courses/lessons/lesson-format.server'
import type { LessonKind } from '~/features/courses/lessons/lesson-kinds'
import { loadArticleMaterial } from './article/article-material.server'
import { loadQuizMaterial } from './quiz/quiz-material.server'
import { loadVideoMaterial } from './video/video-material.server'

/** Turns what is stored about a lesson into what its view displays. */
const loaders = {
  video: loadVideoMaterial,
  article: loadArticleMaterial,
  quiz: loadQuizMaterial,
  announced: () => null,
} satisfies Record<LessonKind, (stored: StoredMaterial, now: Date) => unknown>

/** What the view of a lesson displays, depending on its kind. */
export type LessonMaterial = Awaited<ReturnType<(typeof loaders)[LessonKind]>>

export async function loadMaterial(
  kind: LessonKind,
  stored: StoredMaterial,
  now: Date,
): Promise<LessonMaterial> {
  return loaders[kind](stored, now)
}

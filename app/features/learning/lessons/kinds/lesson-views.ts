import type { LessonKind } from '~/features/courses/lessons/lesson-kinds'
import { announcedView } from './announced/announced-lesson'
import { articleView } from './article/article-lesson'
import type { LessonMaterial } from './lesson-materials.server'
import type { LessonView } from './lesson-view'
import { quizView } from './quiz/quiz-lesson'
import { videoView } from './video/video-lesson'

/** How the page of a lesson displays each kind. A view gets the material of its own kind only. */
export const lessonViews: Record<LessonKind, LessonView<LessonMaterial>> = {
  video: videoView,
  article: articleView,
  quiz: quizView,
  announced: announcedView,
}

import { indexContent } from '~/features/catalog/search/search-index.server'
import type { ContentFeatures } from '~/features/courses/content/content-loader.server'
import { moveLessonProgress } from '~/features/learning/progress/move-lesson-progress.server'

/** The features' hooks for content changes, run in the same transaction. */
export const contentFeatures: ContentFeatures = { moveLessonProgress, indexContent }

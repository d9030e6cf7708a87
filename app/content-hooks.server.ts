import { indexContent } from '~/features/catalog/search/search-index.server'
import type { ContentHooks } from '~/features/courses/content/content-loader.server'
import { moveLessonProgress } from '~/features/learning/progress/move-lesson-progress.server'

/** The features' hooks for content changes, run in the same transaction. */
export const contentHooks: ContentHooks = { moveLessonProgress, indexContent }

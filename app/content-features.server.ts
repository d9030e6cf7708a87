import { indexContent } from '~/features/catalog/search/search-index.server'
import { moveLessonWork } from '~/features/learning/progress/moved-lesson.server'
import type { ContentFeatures } from './server/content/content-loader.server'

/** The features' hooks for content changes, run in the same transaction. */
export const contentFeatures: ContentFeatures = { moveLessonWork, indexContent }

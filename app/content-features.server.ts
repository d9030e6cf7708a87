import { indexContent } from './features/catalogue/search/course-search.server'
import { moveLessonWork } from './features/learning/course-work/moved-lesson-work.server'
import type { ContentFeatures } from './server/content/content-loader.server'

/** What the features do when the content changes, in the same transaction. */
export const contentFeatures: ContentFeatures = { moveLessonWork, indexContent }

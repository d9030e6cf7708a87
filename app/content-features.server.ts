import { indexContent } from '~/features/catalog/search/course-search.server'
import { moveLessonWork } from '~/features/progress/moved-lesson-work.server'
import type { ContentFeatures } from './server/content/content-loader.server'

/** What the features do when the content changes, in the same transaction. */
export const contentFeatures: ContentFeatures = { moveLessonWork, indexContent }

import { createContext } from 'react'

/** The beginning of lesson addresses, for learners. */
export const learnPath = '/Learn'

/** The beginning of lesson addresses on this page. Staff have another one, for the preview. */
export const LessonPathContext = createContext(learnPath)

/**
 * Headings of articles have ids of their own, so that none is taken for a part of the page around
 * them.
 */
export const headingIdPrefix = 'part-'

/**
 * The address of the place that explains a question.
 *
 * @param explainedIn as in `course.yaml`: a lesson's id, with `#` and a heading or, for a video, a
 * second.
 */
export function explanationUrl(courseId: string, explainedIn: string): string {
  const [lessonId = '', anchor] = explainedIn.split('#')
  const lesson = `/Learn/${courseId}/${lessonId}`
  if (anchor === undefined) {
    return lesson
  }

  return /^\d+$/.test(anchor) ? `${lesson}?at=${anchor}` : `${lesson}#${headingIdPrefix}${anchor}`
}

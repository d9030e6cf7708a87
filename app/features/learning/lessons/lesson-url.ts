import { createContext } from 'react'

/** The beginning of the URLs of lessons. */
export const learnPath = '/Learn'

/** The beginning of the URLs of lessons on this page. The preview of staff has its own. */
export const LessonPathContext = createContext(learnPath)

/**
 * The ids of headings in articles have this prefix, so that they differ from other ids of the page.
 */
export const headingIdPrefix = 'part-'

/**
 * Returns the URL of the lesson that explains a question, with a heading or a second of its video.
 *
 * @param explainedIn the value in `course.yaml`, for example `names#a-name`, `intro#90` or `names`
 */
export function explanationUrl(courseId: string, explainedIn: string): string {
  const [lessonId = '', anchor] = explainedIn.split('#')
  const lessonUrl = `${learnPath}/${courseId}/${lessonId}`
  if (anchor === undefined) {
    return lessonUrl
  }

  const isSecond = /^\d+$/.test(anchor)
  return isSecond ? `${lessonUrl}?at=${anchor}` : `${lessonUrl}#${headingIdPrefix}${anchor}`
}

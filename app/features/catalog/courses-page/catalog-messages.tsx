import { byCount, formatNumber } from '~/ui/format-count'
import type { CatalogResult } from '../search/catalog-query'

/** The texts of the catalog. The texts of a course's page are in `course-messages.tsx`. */

/**
 * Formats a number of courses.
 *
 * @param options.orMore whether there may be more, which gives a text such as '1,000+'
 */
export function formatCourseCount(
  count: number,
  { orMore = false }: { orMore?: boolean } = {},
): string {
  return orMore ? `${formatNumber(count)}+` : formatNumber(count)
}

type Total = Pick<CatalogResult, 'total' | 'orMore'>

export function formatResultSummary({ total, orMore }: Total): string {
  return byCount(
    total,
    'Showing 1 course',
    `Showing ${formatCourseCount(total, { orMore })} courses`,
  )
}

export function formatShowButtonText({ total, orMore }: Total): string {
  return byCount(total, 'Show 1 course', `Show ${formatCourseCount(total, { orMore })} courses`)
}

/** Returns the text below a list of which only a part is displayed. */
export function formatListProgress(displayedCount: number, { total, orMore }: Total): string {
  return `${formatNumber(displayedCount)} of ${formatCourseCount(total, { orMore })} courses`
}

export const catalogMessages = {
  /** The titles of lists of courses. A subject is a text such as 'Beginner Design'. */
  listTitles: {
    all: 'All courses',
    about: (subject: string) => `${subject} courses`,
    by: (instructor: string) => `Courses by ${instructor}`,
    aboutBy: (subject: string, instructor: string) => `${subject} courses by ${instructor}`,
  } as const,
  moreCoursesFailed: 'We couldn’t load more courses. Check your connection, then try again.',
  noCourses: {
    title: 'No courses found',
    text: 'Try adjusting your search terms or filters',
  } as const,
  foundInMentions: 'Found in skills, lessons or subtitles.',
}

import { byCount, formatNumber } from '~/ui/format-count'
import { type CatalogResult, maxCountedCourses } from '../search/catalog-query'

/** The texts of the catalog. The texts of a course's page are in `course-messages.tsx`. */

/**
 * Formats a number of courses.
 *
 * @param options.isPartial whether there may be more, which gives a text such as '1,000+'
 */
export function formatCourseCount(
  count: number,
  { isPartial = false }: { isPartial?: boolean } = {},
): string {
  return isPartial ? `${formatNumber(count)}+` : formatNumber(count)
}

/** Formats a number of courses that is exact only up to `maxCountedCourses`. */
export function formatCappedCount(count: number): string {
  return formatCourseCount(Math.min(count, maxCountedCourses), {
    isPartial: count > maxCountedCourses,
  })
}

type Total = Pick<CatalogResult, 'total' | 'isPartial'>

export function formatResultSummary({ total, isPartial }: Total): string {
  return byCount(
    total,
    'Showing 1 course',
    `Showing ${formatCourseCount(total, { isPartial })} courses`,
  )
}

export function formatShowButtonText({ total, isPartial }: Total): string {
  return byCount(total, 'Show 1 course', `Show ${formatCourseCount(total, { isPartial })} courses`)
}

/** Returns the text below a list of which only a part is displayed. */
export function formatListProgress(displayedCount: number, { total, isPartial }: Total): string {
  return `${formatNumber(displayedCount)} of ${formatCourseCount(total, { isPartial })} courses`
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

import type { ReactNode } from 'react'
import { byCount, formatNumber } from '~/ui/format-count'
import type { Linked } from '~/ui/more-link'
import { type CatalogResult, maxCountedCourses } from '../search/catalog-query'

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

/** The description for search engines has room for this many categories in about 160 characters. */
const maxDescribedCategories = 6

export function describeCatalog(categoryNames: readonly string[]): string {
  const describedNames = categoryNames.slice(0, maxDescribedCategories)
  const categories = new Intl.ListFormat('en-GB').format(describedNames)
  return categories
    ? `Courses in ${categories}, for beginners and for professionals.`
    : 'Courses for beginners and for professionals.'
}

/** Offers the search without one of its words. */
export function renderShorterSearch(
  { q, word, count }: { q: string; word: string; count: number },
  link: Linked,
): ReactNode {
  return (
    <>
      {link(`Search for ${q}`)}{' '}
      <span className="text-muted">
        {byCount(
          count,
          `without ${word}: 1 course`,
          `without ${word}: ${formatLimitedCount(count)} courses`,
        )}
      </span>
    </>
  )
}

export function renderCorrection(from: string, to: string, link: Linked): ReactNode {
  return (
    <>
      Showing results for <strong className="text-ink">{to}</strong>. Search for {link(from)}{' '}
      instead.
    </>
  )
}

/** Offers the courses that only mention the searched text. */
export function renderMoreMentions(count: number, link: Linked): ReactNode {
  if (count === 1) {
    return <>{link('1 more course mentions it')} in its skills, lessons or subtitles.</>
  }

  return (
    <>
      {link(`${formatLimitedCount(count)} more courses mention it`)} in their skills, lessons or
      subtitles.
    </>
  )
}

/** Above `maxCountedCourses`, the exact number is unknown. */
function formatLimitedCount(count: number): string {
  return formatCourseCount(Math.min(count, maxCountedCourses), {
    orMore: count > maxCountedCourses,
  })
}

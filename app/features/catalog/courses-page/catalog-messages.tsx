import type { ReactNode } from 'react'
import { byCount, formatNumber } from '~/ui/format-count'
import type { Linked } from '~/ui/more-link'
import { type CatalogResult, maxCountedCourses } from '../search/catalog-query'

/**
 * Messages about the results of the catalog; those of a course's page are in `course-messages.tsx`.
 */

/** A count of courses; of very many only the first ones are counted: '1,000+'. */
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

/** Below a list of which only a part is shown. */
export function formatListProgress(shown: number, { total, orMore }: Total): string {
  return `${formatNumber(shown)} of ${formatCourseCount(total, { orMore })} courses`
}

/** The title of a list of courses. @param subject like 'Beginner Design'. */
export const listTitles = {
  all: 'All courses',
  of: (subject: string) => `${subject} courses`,
  by: (instructor: string) => `Courses by ${instructor}`,
  ofBy: (subject: string, instructor: string) => `${subject} courses by ${instructor}`,
} as const

/** For search engines, at most about 160 characters. */
export function listDescription(categoryNames: readonly string[]): string {
  const some = new Intl.ListFormat('en-GB').format(categoryNames.slice(0, 6))
  return some
    ? `Courses in ${some}, for beginners and for professionals.`
    : 'Courses for beginners and for professionals.'
}

export const moreCoursesFailed =
  'We couldn’t load more courses. Check your connection, then try again.'

export const noCourses = {
  title: 'No courses found',
  text: 'Try adjusting your search terms or filters',
} as const

/** Offers the search with one word less. */
export function searchWithout(q: string, word: string, count: number, link: Linked): ReactNode {
  return (
    <>
      {link(`Search for ${q}`)}{' '}
      <span className="text-muted">
        {byCount(
          count,
          `without ${word}: 1 course`,
          `without ${word}: ${formatCourseCount(Math.min(count, maxCountedCourses), { orMore: count > maxCountedCourses })} courses`,
        )}
      </span>
    </>
  )
}

export function correctedSearch(from: string, to: string, link: Linked): ReactNode {
  return (
    <>
      Showing results for <strong className="text-ink">{to}</strong>. Search for {link(from)}{' '}
      instead.
    </>
  )
}

/** @param count above `maxCountedCourses`, the exact number is unknown. */
export function moreMentions(count: number, link: Linked): ReactNode {
  const many = formatCourseCount(Math.min(count, maxCountedCourses), {
    orMore: count > maxCountedCourses,
  })
  return count === 1 ? (
    <>{link('1 more course mentions it')} in its skills, lessons or subtitles.</>
  ) : (
    <>{link(`${many} more courses mention it`)} in their skills, lessons or subtitles.</>
  )
}

export const foundInMentions = 'Found in skills, lessons or subtitles.'

import type { ReactNode } from 'react'
import { byCount, numberText } from '~/ui/count-text'
import type { Linked } from '~/ui/linked'

/** What the catalogue says of what it found; the page of a course has `course-messages.tsx`. */

export function showingCourses(count: number): string {
  return byCount(count, 'Showing 1 course', `Showing ${numberText(count)} courses`)
}

export function showCourses(count: number): string {
  return byCount(count, 'Show 1 course', `Show ${numberText(count)} courses`)
}

/** @param total more than are shown, so never one. */
export function coursesShown(shown: number, total: number): string {
  return `${numberText(shown)} of ${numberText(total)} courses`
}

/** What a list of courses is called. @param subject like 'Beginner Design'. */
export const listTitles = {
  all: 'All courses',
  of: (subject: string) => `${subject} courses`,
  by: (instructor: string) => `Courses by ${instructor}`,
  ofBy: (subject: string, instructor: string) => `${subject} courses by ${instructor}`,
} as const

export const moreCoursesFailed = 'We couldn’t load more courses. Check your connection, then try again.'

export const noCourses = {
  title: 'No courses found',
  text: 'Try adjusting your search terms or filters',
} as const

/** A search with a word less than the one that found nothing. */
export function searchWithout(q: string, word: string, count: number, link: Linked): ReactNode {
  return (
    <>
      {link(`Search for ${q}`)}{' '}
      <span className="text-muted">
        {byCount(count, `without ${word}: 1 course`, `without ${word}: ${numberText(count)} courses`)}
      </span>
    </>
  )
}

export function correctedSearch(from: string, to: string, link: Linked): ReactNode {
  return (
    <>
      Showing results for <strong className="text-ink">{to}</strong>. Search for {link(from)} instead.
    </>
  )
}

export function moreMentions(count: number, link: Linked): ReactNode {
  return count === 1 ? (
    <>{link('1 more course mentions it')} in its skills, lessons or subtitles.</>
  ) : (
    <>{link(`${numberText(count)} more courses mention it`)} in their skills, lessons or subtitles.</>
  )
}

export const foundInMentions = 'Found in skills, lessons or subtitles.'

import { byCount, formatNumber } from '~/ui/format-count'
import { formatHours, formatMinutes } from '~/ui/format-duration'

/**
 * Messages of a course's page. Those about reviews are in `features/reviews/review-messages.tsx`.
 */

export const courseNotFound = {
  heading: 'Course not found',
  title: 'We couldn’t find that course',
  sentence: 'We couldn’t find that course.',
  text: 'The link may have a typo, or the course may no longer be offered.',
} as const

export const noCurriculum = 'The curriculum is coming soon.'
export const lessonsToCome =
  'Lessons marked ‘Coming soon’ aren’t ready yet. They’re included in the price.'

/** As the specification says it: '65 hours in 180 lectures'. */
export function announcedLength(hours: number, lectures: number): string {
  const length = formatHours(hours)
  return byCount(
    lectures,
    `${length} in 1 lecture`,
    `${length} in ${formatNumber(lectures)} lectures`,
  )
}

/** How many of the announced lessons are available today. */
export function lessonsAvailable(count: number, minutes: number): string {
  if (count === 0) {
    return 'No lessons available yet'
  }

  const length = formatMinutes(minutes)

  return byCount(
    count,
    `Available now: 1 lesson, ${length}`,
    `Available now: ${formatNumber(count)} lessons, ${length}`,
  )
}

export function downloadsAvailable(count: number): string {
  return count === 0 ? 'None available yet' : `Available now: ${formatNumber(count)}`
}

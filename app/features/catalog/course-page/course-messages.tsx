import { hasMaterial, type LessonKind } from '~/features/courses/lessons/lesson-kinds'
import { byCount, formatNumber } from '~/ui/format-count'
import { formatHours, formatMinutes } from '~/ui/format-duration'
import type { CourseDetail } from './course-queries.server'

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
function lessonsAvailable(count: number, minutes: number): string {
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

function downloadsAvailable(count: number): string {
  return count === 0 ? 'None available yet' : `Available now: ${formatNumber(count)}`
}

/** The lessons that are available, and their length together: whole minutes, at least one. */
export function getAvailableMaterial<Lesson extends { kind: LessonKind; durationSeconds: number }>(
  curriculum: readonly { lessons: readonly Lesson[] }[],
): { lessons: Lesson[]; minutes: number } {
  const lessons = curriculum.flatMap((section) => section.lessons).filter(hasMaterial)
  const seconds = lessons.reduce((sum, { durationSeconds }) => sum + durationSeconds, 0)
  return { lessons, minutes: Math.max(1, Math.floor(seconds / 60)) }
}

type Announced = Pick<CourseDetail, 'lectures' | 'downloadableResources'> & {
  curriculum: readonly {
    lessons: readonly Pick<
      CourseDetail['curriculum'][number]['lessons'][number],
      'kind' | 'durationSeconds' | 'downloads'
    >[]
  }[]
}

/** The part of an announced course that is available today, in words; each is null if complete. */
export function getAvailabilityTexts({ curriculum, lectures, downloadableResources }: Announced): {
  lessons: string | null
  downloads: string | null
} {
  const { lessons: there, minutes } = getAvailableMaterial(curriculum)
  const downloads = there.reduce((sum, lesson) => sum + lesson.downloads.count, 0)

  return {
    lessons: there.length < lectures ? lessonsAvailable(there.length, minutes) : null,
    downloads: downloads < downloadableResources ? downloadsAvailable(downloads) : null,
  }
}

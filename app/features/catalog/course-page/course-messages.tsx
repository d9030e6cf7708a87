import { hasMaterial, type LessonKind } from '~/features/courses/lessons/lesson-kinds'
import { byCount, formatNumber } from '~/ui/format-count'
import { formatMinutes } from '~/ui/format-duration'
import type { CourseDetail } from './course-queries.server'

/**
 * The texts of a course's page. The texts about reviews are in
 * `features/reviews/review-messages.ts`.
 */

export const courseNotFound = {
  heading: 'Course not found',
  title: 'We couldn’t find that course',
  problem: 'We couldn’t find that course.',
  text: 'The link may have a typo, or the course may no longer be offered.',
} as const

/** Says how many of the announced lessons are available today. */
function formatAvailableLessons(count: number, minutes: number): string {
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

function formatAvailableDownloads(count: number): string {
  return count === 0 ? 'None available yet' : `Available now: ${formatNumber(count)}`
}

/** Returns the available lessons and their total length in whole minutes, which is at least one. */
export function getAvailableMaterial<Lesson extends { kind: LessonKind; durationSeconds: number }>(
  curriculum: readonly { lessons: readonly Lesson[] }[],
): { lessons: Lesson[]; minutes: number } {
  const lessons = curriculum.flatMap((section) => section.lessons).filter(hasMaterial)
  const seconds = lessons.reduce((sum, { durationSeconds }) => sum + durationSeconds, 0)
  return { lessons, minutes: Math.max(1, Math.floor(seconds / 60)) }
}

type AnnouncedCourse = Pick<CourseDetail, 'lectures' | 'downloadableResources'> & {
  curriculum: readonly {
    lessons: readonly Pick<
      CourseDetail['curriculum'][number]['lessons'][number],
      'kind' | 'durationSeconds' | 'downloads'
    >[]
  }[]
}

/**
 * Says which part of an announced course is available today. A text is null if everything that was
 * announced is available.
 */
export function getAvailabilityTexts(course: AnnouncedCourse): {
  lessons: string | null
  downloads: string | null
} {
  const { lessons, minutes } = getAvailableMaterial(course.curriculum)
  const downloadCount = lessons.reduce((sum, lesson) => sum + lesson.downloads.count, 0)
  const hasAllLessons = lessons.length >= course.lectures
  const hasAllDownloads = downloadCount >= course.downloadableResources

  return {
    lessons: hasAllLessons ? null : formatAvailableLessons(lessons.length, minutes),
    downloads: hasAllDownloads ? null : formatAvailableDownloads(downloadCount),
  }
}

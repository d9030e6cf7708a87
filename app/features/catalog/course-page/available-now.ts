import { hasMaterial, type LessonKind } from '~/features/courses/lessons/lesson-kinds'
import { downloadsAvailable, lessonsAvailable } from './course-messages'
import type { CourseDetail } from './course-queries.server'

/** The lessons that are available, and their length together: whole minutes, at least one. */
export function materialNow<Lesson extends { kind: LessonKind; durationSeconds: number }>(
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
export function availableNow({ curriculum, lectures, downloadableResources }: Announced): {
  lessons: string | null
  downloads: string | null
} {
  const { lessons: there, minutes } = materialNow(curriculum)
  const downloads = there.reduce((sum, lesson) => sum + lesson.downloads.count, 0)

  return {
    lessons: there.length < lectures ? lessonsAvailable(there.length, minutes) : null,
    downloads: downloads < downloadableResources ? downloadsAvailable(downloads) : null,
  }
}

import { countText, numberText } from '~/ui/count-text'
import { minutesText } from '~/ui/duration-text'
import type { CourseDetail } from './course-queries.server'

type Announced = Pick<CourseDetail, 'lectures' | 'downloadableResources'> & {
  curriculum: readonly {
    lessons: readonly Pick<
      CourseDetail['curriculum'][number]['lessons'][number],
      'kind' | 'durationSeconds' | 'downloads'
    >[]
  }[]
}

/** What is there today of what a course announces, in words; null where nothing is missing. */
export function availableNow({ curriculum, lectures, downloadableResources }: Announced): {
  lessons: string | null
  downloads: string | null
} {
  const there = curriculum.flatMap(({ lessons }) => lessons).filter(({ kind }) => kind !== 'announced')
  const minutes = Math.floor(there.reduce((sum, { durationSeconds }) => sum + durationSeconds, 0) / 60)
  const downloads = there.reduce((sum, lesson) => sum + lesson.downloads.count, 0)
  return {
    lessons: there.length < lectures ? lessonsText(there.length, Math.max(1, minutes)) : null,
    downloads: downloads < downloadableResources ? downloadsText(downloads) : null,
  }
}

function lessonsText(lessons: number, minutes: number): string {
  if (lessons === 0) return 'No lessons available yet'
  return `Available now: ${countText(lessons, 'lesson')}, ${minutesText(minutes)}`
}

function downloadsText(downloads: number): string {
  return downloads === 0 ? 'None available yet' : `Available now: ${numberText(downloads)}`
}

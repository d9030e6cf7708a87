import type * as z from 'zod'
import type { ContentReader } from './content-reader.server'
import type { courseFile } from './course-schema'

/** In the easternmost time zone tomorrow has begun already. */
const tomorrowMs = 14 * 3_600_000

/** Nothing was changed or reviewed on a day that is to come. */
export function checkDates(reader: ContentReader, file: string, course: z.infer<typeof courseFile>, now: Date) {
  const latest = new Date(now.getTime() + tomorrowMs).toISOString().slice(0, 10)
  const check = (date: string | null, at: readonly PropertyKey[]) => {
    if (date !== null && date > latest) reader.report(file, `${date} is in the future. Write a date up to today.`, at)
  }
  check(course.lastUpdated, ['lastUpdated'])
  for (const [index, review] of course.reviewsList.entries()) check(review.date, ['reviewsList', index, 'date'])
}

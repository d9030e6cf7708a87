import { longDateText } from '~/ui/date-text'
import type { CourseReview, ReviewPage } from './review-list-queries.server'

/** What stands in for what a review lacks. */
export function shownReview({ name, date, comment }: Pick<CourseReview, 'name' | 'date' | 'comment'>) {
  return {
    name: name ?? 'Anonymous',
    date: date === null ? 'Recently' : longDateText(date),
    comment: comment ?? 'No comment provided',
  }
}

export type StarShare = { stars: number; count: number; percent: number }

/** @param counts of reviews with 5, 4, 3, 2 and 1 stars. @returns them with their share in whole percent, rounded. */
export function starShares(counts: ReviewPage['stars']): StarShare[] {
  const total = counts.reduce((sum, count) => sum + count, 0)
  return counts.map((count, index) => ({
    stars: 5 - index,
    count,
    percent: total === 0 ? 0 : Math.round((count * 100) / total),
  }))
}

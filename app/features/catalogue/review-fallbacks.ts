import type { CourseReview } from './course-queries.server'
import { dateText } from './quantity-text'

/** What stands in for what a review lacks. */
export function shownReview({ name, date, comment }: Pick<CourseReview, 'name' | 'date' | 'comment'>) {
  return {
    name: name ?? 'Anonymous',
    date: date === null ? 'Recently' : dateText(date),
    comment: comment ?? 'No comment provided',
  }
}

export type StarShare = { stars: number; count: number; percent: number }

/** How many of these reviews gave 5, 4, 3, 2 and 1 stars; whole percent, rounded. */
export function starShares(ratings: readonly number[]): StarShare[] {
  return [5, 4, 3, 2, 1].map((stars) => {
    const count = ratings.filter((rating) => rating === stars).length
    return { stars, count, percent: ratings.length === 0 ? 0 : Math.round((count * 100) / ratings.length) }
  })
}

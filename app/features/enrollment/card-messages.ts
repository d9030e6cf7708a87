import { learnerLimits } from './learner-limits'
import type { EnrolledCourse } from './own-courses'

/** The texts of course cards. Every page with course cards loads them. */

export const wishNotSaved =
  'We couldn’t update your wish list. Check your connection, then try again.'
export const wishListFull = `Your wish list is full: it holds up to ${learnerLimits.wishes} courses. Remove one to add another.`

/** The text that replaces the price on the card of a learner's own course. */
export function cardProgress({ percent, completed }: EnrolledCourse): string {
  return completed ? 'Completed' : `Enrolled ${percent}%`
}

import { learnerLimits } from './learner-limits'
import type { EnrolledCourse } from './own-courses'

/** Messages on the cards of courses, loaded by every page that has some. */
export const wishNotSaved =
  'We couldn’t update your wish list. Check your connection, then try again.'
export const wishListFull = `Your wish list is full: it holds up to ${learnerLimits.wishes} courses. Remove one to add another.`

/** On a course's card, in the place of its price. */
export function cardProgress({ percent, completed }: EnrolledCourse): string {
  return completed ? 'Completed' : `Enrolled ${percent}%`
}

import { isEnrolled, isEnrolledInAccount } from './browser-enrollments'
import { useOwnCourses } from './own-courses'

/**
 * How the viewer is enrolled in a course:
 *
 * - `in-account`: The course belongs to the account of the learner.
 * - `adding-to-account`: The enrollment is stored only in this browser, which sends it to the
 *   account.
 * - `in-browser`: The enrollment of a visitor is stored only in this browser.
 * - `none`: The viewer is not enrolled, or the page is not hydrated yet.
 */
export type CourseEnrollment = 'in-account' | 'adding-to-account' | 'in-browser' | 'none'

/** Returns how the viewer is enrolled in a course. It changes when the viewer becomes known. */
export function useCourseEnrollment(
  courseId: string,
  { isForSale }: { isForSale: boolean },
): CourseEnrollment {
  const { uid, enrollments } = useOwnCourses()
  if (isEnrolledInAccount(enrollments, uid, courseId)) {
    return 'in-account'
  }

  // A course that is for sale has to be bought with an account.
  const isStoredInBrowser = !isForSale && enrollments !== null && isEnrolled(enrollments, courseId)
  if (!isStoredInBrowser) {
    return 'none'
  }

  // While `uid` is undefined, nobody knows yet whether the viewer is a visitor.
  const isVisitor = uid === null
  return isVisitor ? 'in-browser' : 'adding-to-account'
}

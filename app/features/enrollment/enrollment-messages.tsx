import { learnerLimits } from './learner-limits'

/** The texts about enrolling in courses and leaving them. */
export const enrollmentMessages = {
  /** The note below the "Enroll" button. */
  enrollmentNotes: {
    inAccount: 'This course is in your account.',
    addingToAccount: 'Enrolled. Adding this course to your account...',
    noAccountNeeded: 'No account needed. This browser remembers your course until you sign in.',
    leftCourse: 'You left this course. We’ve kept your work.',
  } as const,
  /**
   * Why no lesson was opened, by the `why` parameter of the course page's URL. `enrolledHere` is
   * for a visitor who is enrolled in this browser.
   */
  lessonRefusals: {
    'sign-in': 'Sign in and enroll to start the lessons.',
    enroll: 'Enroll in this course to start the lessons.',
    'no-material': 'The lessons aren’t ready yet. You’re enrolled, and they’ll appear here.',
    enrolledHere: 'Sign in to start the lessons.',
  } as const,
  noCourseChosen: 'No course was chosen.',
  courseIsSold: 'This course has to be bought first.',
  /** For a refusal whose response contains no sentence. */
  notEnrolled: 'We couldn’t enroll you in this course. Try again later.',
  salePaused: 'This course can’t be bought at the moment.',
  enrollmentsFull: `You’re enrolled in ${learnerLimits.enrollments} courses, which is the limit.`,
  staysEnrolled: 'You can’t leave a course that you’ve completed or whose exam you’re taking.',
  /**
   * This may appear on the page of another course, because a visitor's choice is sent after any
   * sign-in.
   */
  courseGone: 'A course you chose is no longer available.',
  /** The texts of course cards. Every page with course cards loads them. */
  wishNotSaved: 'We couldn’t update your wish list. Check your connection, then try again.',
  wishListFull: `Your wish list is full: it holds up to ${learnerLimits.wishes} courses. Remove one to add another.`,
}

/** The entry in the list of recent activity. */
export function enrolledActivity(course: string): string {
  return `Enrolled in ${course}`
}

import type { ReactNode } from 'react'
import type { Linked } from '~/ui/more-link'
import { learnerLimits } from './learner-limits'

/** Messages about enrolling and leaving, loaded by a course's page. */

export const enrollmentNotes = {
  inAccount: 'This course is in your account.',
  moving: 'Enrolled. Adding this course to your account...',
  noAccountNeeded: 'No account needed. This browser remembers your course until you sign in.',
  left: 'You left this course. We’ve kept your work.',
} as const

export function enrolledHere(link: Linked): ReactNode {
  return (
    <>
      You’re enrolled in this browser. Have an account? {link('Sign in')} to add the course to it.
    </>
  )
}

/**
 * Why no lesson was shown, by the `?why=` of the course's page; a visitor may be enrolled in this
 * browser.
 */
export const lessonRefusals = {
  'sign-in': 'Sign in and enroll to start the lessons.',
  enroll: 'Enroll in this course to start the lessons.',
  'no-material': 'The lessons aren’t ready yet. You’re enrolled, and they’ll appear here.',
  enrolledHere: 'Sign in to start the lessons.',
} as const

export const noCourseChosen = 'No course was chosen.'
export const staysEnrolled =
  'You can’t leave a course that you’ve completed or whose exam you’re taking.'
/** May appear on another course's page: a visitor's choice is stored after any sign-in. */
export const courseGone = 'A course you chose is no longer available.'
export const enrollmentsFull = `You’re enrolled in ${learnerLimits.enrollments} courses, which is the limit.`

/** In the list of recent activity. */
export function enrolledActivity(course: string): string {
  return `Enrolled in ${course}`
}

export const courseIsSold = 'This course has to be bought first.'

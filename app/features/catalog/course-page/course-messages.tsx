import type { ReactNode } from 'react'
import { reviewFromPercent, type VoteLack } from '~/features/reviews/own-reviews'
import { byCount, numberText } from '~/ui/count-text'
import { hoursText, minutesText } from '~/ui/duration-text'
import type { Linked } from '~/ui/linked'

/** What a course's page says. What only the review form and the server say is in `review-messages.ts`. */

export const courseNotFound = {
  heading: 'Course not found',
  title: 'We couldn’t find that course',
  sentence: 'We couldn’t find that course.',
  text: 'The link may have a typo, or the course may no longer be offered.',
} as const

export const noCurriculum = 'The curriculum is coming soon.'
export const lessonsToCome = 'Lessons marked ‘Coming soon’ aren’t ready yet. They’re included in the price.'

/** As the specification says it: '65 hours in 180 lectures'. */
export function announcedLength(hours: number, lectures: number): string {
  const length = hoursText(hours)
  return byCount(lectures, `${length} in 1 lecture`, `${length} in ${numberText(lectures)} lectures`)
}

/** What there is today of the lessons that a course announces. */
export function lessonsAvailable(count: number, minutes: number): string {
  if (count === 0) return 'No lessons available yet'
  const length = minutesText(minutes)
  return byCount(count, `Available now: 1 lesson, ${length}`, `Available now: ${numberText(count)} lessons, ${length}`)
}

export function downloadsAvailable(count: number): string {
  return count === 0 ? 'None available yet' : `Available now: ${numberText(count)}`
}

export const noReviews = {
  any: { title: 'No reviews yet', text: 'Complete part of the course, then write the first one.' },
  written: {
    title: 'No written reviews yet',
    text: 'Learners have rated this course, but no one has written a review yet.',
  },
} as const

/** @param link leads back to all reviews. */
export function reviewsWithStars(stars: number, link: Linked): ReactNode {
  return (
    <>
      {byCount(stars, 'Showing 1 star only.', `Showing ${stars} stars only.`)} {link('Show all reviews')}
    </>
  )
}

export function foundHelpful(count: number): string {
  return byCount(count, '1 learner found this helpful', `${numberText(count)} learners found this helpful`)
}

export const ownReview = {
  saved: 'Thanks! Your review is saved.',
  deleted: 'Your review was deleted.',
  noForm: 'We couldn’t load the form. Check your connection, then reload the page.',
  anonymous: 'Posted without your name.',
  hidden: 'We’ve hidden this review. Only you can see it.',
} as const

/** What a learner reads in the place of their review, by what they may do. */
export const reviewInvitations = {
  'not-enrolled': `Enroll in this course and complete ${reviewFromPercent}% of it to write a review.`,
  unconfirmed: 'Confirm your email address to review this course.',
  'too-early': `You can review this course once you’ve completed ${reviewFromPercent}% of it.`,
  'may-review': 'You know this course well. Your review helps others choose.',
} as const

export const voteLackTexts: Record<VoteLack, string> = {
  enrollment: 'Enroll in this course to mark reviews as helpful.',
  confirmation: 'Confirm your email address to mark reviews as helpful.',
}

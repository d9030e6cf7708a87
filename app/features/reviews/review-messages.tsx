import type { ReactNode } from 'react'
import { byCount, formatNumber } from '~/ui/format-count'
import type { Linked } from '~/ui/more-link'

/** The percentage of a course that a learner has to finish before reviewing it. */
export const reviewFromPercent = 30

/** Counted in UTF-16 code units, like the attribute `maxlength`. */
export const maxCommentLength = 2000

/** What only the learner sees of a course's reviews. Public pages never contain it. */
export type OwnReviews = {
  eligibility: 'not-enrolled' | 'too-early' | 'unconfirmed' | 'may-review'
  /** The requirement for voting that the learner doesn't meet. Null if they may vote. */
  voteLacks: VoteRequirement | null
  review: OwnReview | null
  /**
   * The reviews that the learner found helpful, by ID, with the number of learners who found them
   * helpful. The learner is included in the number.
   */
  votes: Record<string, number>
}

/** Only a learner of the course whose email address is confirmed may vote, so that votes count people. */
export type VoteRequirement = 'enrollment' | 'confirmation'

export type OwnReview = {
  id: string
  rating: number
  comment: string | null
  showsName: boolean
  /** The text that tells the author why the review is hidden. Null if everyone sees the review. */
  hidden: string | null
}

/** The path to which forms send changes. */
export const reviewsPath = '/Reviews'

export function courseReviewsUrl(courseId: string): string {
  return `/OneCourse/${encodeURIComponent(courseId)}?tab=reviews`
}

/** Returns the URL of the page where a learner reports the review of somebody else. */
export function reviewReportUrl(reviewId: string): string {
  return `${reviewsPath}/${reviewId}/Report`
}

/** The problems of the review form. */
export const reviewMessages = {
  rating: 'Please choose a rating',
  comment: `Please keep your review to ${formatNumber(maxCommentLength)} characters`,
  unreadable: 'Your review contains a character that we can’t save',
} as const

export const voteNotPossible = 'You can’t vote on this review: it was deleted, or it’s your own.'

export function formatRemainingCharacters(count: number): string {
  return byCount(count, '1 character left', `${formatNumber(count)} characters left`)
}

export const noReviews = {
  any: { title: 'No reviews yet', text: 'Complete part of the course, then write the first one.' },
  written: {
    title: 'No written reviews yet',
    text: 'Learners have rated this course, but no one has written a review yet.',
  },
} as const

/** @param link renders a link to all reviews */
export function renderStarFilterNote(stars: number, link: Linked): ReactNode {
  return (
    <>
      {byCount(stars, 'Showing 1 star only.', `Showing ${stars} stars only.`)}{' '}
      {link('Show all reviews')}
    </>
  )
}

export function formatHelpfulCount(count: number): string {
  return byCount(
    count,
    '1 learner found this helpful',
    `${formatNumber(count)} learners found this helpful`,
  )
}

export const ownReviewTexts = {
  saved: 'Thanks! Your review is saved.',
  deleted: 'Your review was deleted.',
  noForm: 'We couldn’t load the form. Check your connection, then reload the page.',
  anonymous: 'Posted without your name.',
} as const

/** The text in place of the learner's review. The keys are the learner's eligibility. */
export const reviewInvitations = {
  'not-enrolled': `Enroll in this course and complete ${reviewFromPercent}% of it to write a review.`,
  unconfirmed: 'Confirm your email address to review this course.',
  'too-early': `You can review this course once you’ve completed ${reviewFromPercent}% of it.`,
  'may-review': 'You know this course well. Your review helps others choose.',
} as const

export const voteRequirementTexts: Record<VoteRequirement, string> = {
  enrollment: 'Enroll in this course to mark reviews as helpful.',
  confirmation: 'Confirm your email address to mark reviews as helpful.',
}

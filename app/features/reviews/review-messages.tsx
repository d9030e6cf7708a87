import type { ReactNode } from 'react'
import { byCount, formatNumber } from '~/ui/format-count'
import type { Linked } from '~/ui/more-link'

/** The percentage of a course that a learner has to finish before reviewing it. */
export const reviewFromPercent = 30

/** In UTF-16 code units, like `maxlength`. */
export const maxCommentLength = 2000

/** The learner's own part of a course's reviews; public pages never contain it. */
export type OwnReviews = {
  eligibility: 'not-enrolled' | 'too-early' | 'unconfirmed' | 'may-review'
  /** The missing requirement for voting; null if there is none. */
  voteLacks: VoteRequirement | null
  review: OwnReview | null
  /**
   * The reviews that the learner found helpful, by id: how many found it so, this learner included.
   */
  votes: Record<string, number>
}

/** Votes count people: a learner of the course, with an address that is theirs. */
export type VoteRequirement = 'enrollment' | 'confirmation'

export type OwnReview = {
  id: string
  rating: number
  comment: string | null
  showsName: boolean
  /** What the author reads about a review that is hidden; null while others see it. */
  hidden: string | null
}

/** Where a browser reads and changes them. */
export const reviewsPath = '/Reviews'

export function courseReviewsUrl(courseId: string): string {
  return `/OneCourse/${encodeURIComponent(courseId)}?tab=reviews`
}

/** The page where a learner reports somebody else's review. */
export function reviewReportUrl(reviewId: string): string {
  return `${reviewsPath}/${reviewId}/Report`
}

/** Refusals of the review form, by field. */
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

/** @param link leads back to all reviews. */
export function reviewsWithStars(stars: number, link: Linked): ReactNode {
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

export const ownReview = {
  saved: 'Thanks! Your review is saved.',
  deleted: 'Your review was deleted.',
  noForm: 'We couldn’t load the form. Check your connection, then reload the page.',
  anonymous: 'Posted without your name.',
} as const

/** The text in place of the learner's review, by permission. */
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

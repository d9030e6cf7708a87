/** The types, limits and texts that the server and the pages of reviews share. */
import { formatNumber } from '~/ui/format-count'

/** The percentage of a course that a learner has to finish before reviewing it. */
export const reviewFromPercent = 30

/** The length is counted in UTF-16 code units, as the HTML attribute `maxlength` counts it. */
export const maxCommentLength = 2000

/** The data about a course's reviews that only the learner sees. Public pages never contain it. */
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

/**
 * Voting requires an enrollment and a confirmed email address, so that each vote is that of one
 * person.
 */
export type VoteRequirement = 'enrollment' | 'confirmation'

export type OwnReview = {
  id: string
  rating: number
  comment: string | null
  showsName: boolean
  /** The text that tells the author why the review is hidden. Null if everyone sees the review. */
  hidden: string | null
}

/** The path of the route that stores reviews and votes. */
export const reviewsPath = '/Reviews'

export function courseReviewsUrl(courseId: string): string {
  return `/OneCourse/${encodeURIComponent(courseId)}?tab=reviews`
}

/** The error messages of the review form. */
export const reviewMessages = {
  ratingMissing: 'Please choose a rating',
  commentTooLong: `Please keep your review to ${formatNumber(maxCommentLength)} characters`,
  unreadable: 'Your review contains a character that we can’t save',
} as const

/**
 * The text for learners who have not written a review. The keys are the values of their
 * eligibility.
 */
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

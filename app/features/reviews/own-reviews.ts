/** The percentage of a course that a learner has to finish before reviewing it. */
export const reviewFromPercent = 30

/** In UTF-16 code units, like `maxlength`. */
export const maxCommentLength = 2000

/** The learner's own part of a course's reviews; public pages never contain it. */
export type OwnReviews = {
  eligibility: 'not-enrolled' | 'too-early' | 'unconfirmed' | 'may-review'
  /** The missing requirement for voting; null if there is none. */
  voteLacks: VoteLack | null
  review: OwnReview | null
  /**
   * The reviews that the learner found helpful, by id: how many found it so, this learner included.
   */
  votes: Record<string, number>
}

/** Votes count people: a learner of the course, with an address that is theirs. */
export type VoteLack = 'enrollment' | 'confirmation'

export type OwnReview = {
  id: string
  rating: number
  comment: string | null
  showsName: boolean
  /** What the author reads about a review that is hidden; null while others see it. */
  hidden: string | null
}

/** Where a browser reads and changes them. */
export const reviewsAddress = '/Reviews'

export function addressOfCourseReviews(courseId: string): string {
  return `/OneCourse/${encodeURIComponent(courseId)}?tab=reviews`
}

/** The page where a learner reports somebody else's review. */
export function addressOfReport(reviewId: string): string {
  return `${reviewsAddress}/${reviewId}/Report`
}

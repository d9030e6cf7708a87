import { byCount, numberText } from '~/ui/count-text'
import { maxCommentLength } from './own-reviews'

/** What the review form and the server say; the page of a course has `course-messages.tsx`. */
export const reviewMessages = {
  rating: 'Please choose a rating',
  comment: `Please keep your review to ${numberText(maxCommentLength)} characters`,
  unreadable: 'Your review contains a character that we can’t save',
} as const

export const notVotable = 'You can’t vote on this review: it was deleted, or it’s your own.'

export function charactersLeft(count: number): string {
  return byCount(count, '1 character left', `${numberText(count)} characters left`)
}

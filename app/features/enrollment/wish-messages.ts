import { learnerLimits } from '~/features/progress/learner-limits'

/** Messages of the wish list, loaded wherever a heart is shown. */
export const wishNotSaved = 'We couldn’t update your wish list. Check your connection, then try again.'
export const wishListFull = `Your wish list is full: it holds up to ${learnerLimits.wishes} courses. Remove one to add another.`

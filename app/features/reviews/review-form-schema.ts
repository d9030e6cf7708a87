import * as z from 'zod/mini'
import { maxCommentLength, reviewMessages } from './review-messages'

/**
 * Forms send a line break as two characters, but the HTML attribute `maxlength` counts it as one.
 */
const multilineText = z.pipe(
  z.string(reviewMessages.unreadable),
  z.transform((text) => text.replaceAll('\r\n', '\n').trim()),
)

/**
 * Checks the form of a learner's review. An empty comment stands for a review without a comment.
 */
const reviewForm = z.strictObject({
  rating: z.pipe(
    z.string(reviewMessages.ratingMissing).check(z.regex(/^[1-5]$/, reviewMessages.ratingMissing)),
    z.transform((stars) => Number(stars)),
  ),
  comment: z.pipe(
    multilineText,
    z.string().check(
      z.maxLength(maxCommentLength, reviewMessages.commentTooLong),
      z.refine((text) => !text.includes('\0'), reviewMessages.unreadable),
    ),
  ),
  showsName: z.pipe(
    z.optional(z.literal('on', reviewMessages.unreadable)),
    z.transform((value) => value === 'on'),
  ),
})

export type ReviewForm = z.infer<typeof reviewForm>

/** A sentence for each invalid field. */
type ReviewErrors = Partial<Record<keyof ReviewForm, string>>

/**
 * Checks a submitted review. The browser and the server call this function.
 *
 * @param values the values by field name. Unknown fields are an error.
 */
export function checkReview(
  values: Record<string, unknown>,
): { review: ReviewForm; errors: null } | { review: null; errors: ReviewErrors } {
  const parsed = reviewForm.safeParse(values)
  if (parsed.success) {
    return { review: parsed.data, errors: null }
  }

  const errors: ReviewErrors = {}
  for (const issue of parsed.error.issues) {
    const [field] = issue.path
    if (field === 'rating' || field === 'comment' || field === 'showsName') {
      errors[field] ??= issue.message
    } else {
      errors.comment ??= reviewMessages.unreadable
    }
  }

  return { review: null, errors }
}

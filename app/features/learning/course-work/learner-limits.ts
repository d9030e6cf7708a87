/**
 * How much one account keeps, far above what a person does: everything that somebody stores is on a page sooner or later.
 * Notes have theirs in `lesson/note-form.ts`.
 */
export const learnerLimits = {
  enrollments: 500,
  wishes: 100,
  bookmarks: 200,
  /** Pieces of a film that were played, of a lesson; a film watched through is one. */
  watchedPieces: 1500,
  /** Times of learning, of a day. */
  studiedPieces: 1000,
} as const

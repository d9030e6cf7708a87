/**
 * How much one account may store, far above what a person does: everything stored is on a page
 * sooner or later. Notes have theirs in `lessons/notes/note-form.ts`.
 */
export const learnerLimits = {
  enrollments: 500,
  wishes: 100,
  bookmarks: 200,
  /** Questions that come back in practice; two courses at the same time may add a few more. */
  practiceCards: 1000,
  /** Played parts of a video per lesson; a video watched straight through is one. */
  watchedPieces: 1500,
  /** Study intervals per day. */
  studiedPieces: 1000,
} as const

/**
 * How much one account may store. The limits are far above what a person needs. They exist because
 * everything that is stored appears on some page. The limits of notes are in
 * `learning/notes/note-form.ts`.
 */
export const learnerLimits = {
  enrollments: 500,
  wishes: 100,
  bookmarks: 200,
  /** Questions that return in practice. Two courses at the same time may exceed this slightly. */
  practiceCards: 1000,
  /** Separate played intervals of a video, per lesson. A video watched straight through has one. */
  watchedIntervals: 1500,
  /** Separate study intervals per day. */
  studyIntervals: 1000,
} as const

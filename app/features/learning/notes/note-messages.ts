import { formatNumber } from '~/ui/format-count'
import { noteLimits } from './note-form'
import type { NoteRefusal } from './note-queries.server'

export const noteMessages = {
  saved: 'Note saved.',
  waiting: 'Saved on this device. It’s added to your notes once you’re back online.',
  empty: 'Write a note first.',
  tooLong: `Notes can be up to ${formatNumber(noteLimits.body)} characters.`,
  unstorable: 'Your note contains a character that we can’t save.',
  /** What the panel says if it has no notes to display. */
  noNotes: {
    inLesson: 'You have no notes in this lesson yet.',
    inCourse: 'You have no notes in this course yet.',
    onLaterPage: 'There are no more notes.',
  } as const,
  /** The HTTP status of the response to a refused note, and its sentence for the learner. */
  refusals: {
    'not-enrolled': { status: 403, message: 'Enroll in this course to take notes.' },
    full: {
      status: 409,
      message: `You’ve reached the limit of ${noteLimits.perCourse} notes for this course. Delete one to add another.`,
    },
    'too-long-as-html': {
      status: 422,
      message: 'This note is too long to display. Split it into two.',
    },
  } satisfies Record<NoteRefusal, { status: number; message: string }>,
}

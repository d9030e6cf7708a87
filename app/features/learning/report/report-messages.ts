import { lessonMessages } from '../lessons/lesson-messages'
import type { ProgressRefusal } from '../progress/reported-progress'
import type { SaveStatus } from './progress-reporter'

export const reportMessages = {
  /** Says whether the learner's progress is saved. */
  saveStatusTexts: {
    saved: 'Saved',
    saving: 'Saving',
    offline: 'Offline: saved on this device',
    'not-stored': 'Not saved: keep this page open',
    'signed-out': 'Signed out: saved on this device',
    'not-enrolled': 'Not enrolled: saved on this device',
    refused: 'Not counted',
  } satisfies Record<Exclude<SaveStatus, 'collected'>, string>,
  /** The HTTP status of the response to a refused report, and its sentence for the learner. */
  progressRefusals: {
    'signed-out': { status: 401, message: 'Sign in to save your progress.' },
    'other-learner': { status: 403, message: 'This progress belongs to a different account.' },
    'no-lesson': { status: 404, message: lessonMessages.lessonNotFound.sentence },
    'not-enrolled': { status: 403, message: 'Enroll in this course to save your progress.' },
    announced: { status: 422, message: 'This lesson isn’t available yet.' },
    'beyond-length': { status: 422, message: 'This goes past the end of the lesson.' },
    unread: { status: 422, message: 'Read the article to the end to finish it.' },
  } satisfies Record<ProgressRefusal, { status: number; message: string }>,
  /**
   * The responses to reports that only a manipulated browser sends, or one after a clock change.
   */
  implausibleReports: {
    unreadable: 'This isn’t a progress report.',
    otherVisit: 'This report doesn’t belong to a visit to this lesson.',
    clockSetBack: 'Our clock was set back. This report will count once it catches up.',
    notStarted: 'This visit hasn’t started yet.',
    tooFast: 'This is faster than anyone can watch.',
    outsideVisit: 'This time is outside the visit.',
  } as const,
}

import type { WorkRefusal } from '../../course-work/reported-work'

/** What a refused report is answered: the HTTP status, and a sentence for the learner. */
export const workRefusals: Record<WorkRefusal, { status: number; message: string }> = {
  'signed-out': { status: 401, message: 'Sign in to save your progress.' },
  'other-learner': { status: 403, message: 'This progress belongs to a different account.' },
  'no-lesson': { status: 404, message: 'We couldn’t find that lesson.' },
  'not-enrolled': { status: 403, message: 'Enroll in this course to save your progress.' },
  announced: { status: 422, message: 'This lesson isn’t available yet.' },
  'beyond-length': { status: 422, message: 'This goes past the end of the lesson.' },
  unread: { status: 422, message: 'Read the article to the end to finish it.' },
}

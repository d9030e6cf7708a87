import type { WorkRefusal } from '../../course-work/reported-work'

/** What a refused report is answered: the HTTP status, and a sentence for the learner. */
export const workRefusals: Record<WorkRefusal, { status: number; message: string }> = {
  'signed-out': { status: 401, message: 'Sign in to save your progress.' },
  'other-learner': { status: 403, message: 'This progress belongs to another account.' },
  'no-lesson': { status: 404, message: 'This lesson does not exist.' },
  'not-enrolled': { status: 403, message: 'Enroll in this course to save your progress.' },
  announced: { status: 422, message: 'This lesson has no material yet.' },
  'beyond-length': { status: 422, message: 'This goes beyond the length of the lesson.' },
  unread: { status: 422, message: 'An article is done once it is read to the end.' },
}

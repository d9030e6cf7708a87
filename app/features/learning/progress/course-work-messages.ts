import { byCount } from '~/ui/format-count'

/**
 * Texts about completed work, in the learner's list of activity and in an operator's explanation.
 */

export const courseNotFound = 'We couldn’t find that course.'

/** For a page that another learner opened earlier. */
export const otherLearnerMessage =
  'Someone else is now signed in on this browser, so we didn’t save this. Sign in again to save it.'

/** Earned, but not issued yet; null: the course that the page is about. */
export function certificateEarned(course: string | null): string {
  return course === null
    ? 'You earned the certificate for this course.'
    : `You earned the certificate for ${course}.`
}

export const confirmToReceive = 'Confirm your email address to receive your certificate.'
export function certificateOnItsWay(course: string | null): string {
  return course === null
    ? 'Your certificate for this course is on its way.'
    : `Your certificate for ${course} is on its way.`
}

/** @param how a lesson was finished; what was only marked says so. */
export function lessonActivity(
  how: 'finished' | 'answered' | 'marked',
  lesson: string,
  course: string,
): string {
  if (how === 'answered') {
    return `Answered ${lesson} in ${course}`
  }

  return how === 'finished'
    ? `Finished ${lesson} in ${course}`
    : `Marked ${lesson} in ${course} as done`
}

export function courseCompleted(course: string): string {
  return `Completed ${course}`
}

/** What a learner still lacks for the certificate, for operators. */
export const missingTexts = {
  noExam: 'The course has no exam, so it has no certificate.',
  revoked: 'The certificate was issued and then revoked. To issue it again: certificate reissue',
  lessons: (left: number) => byCount(left, '1 lesson isn’t done.', `${left} lessons aren’t done.`),
  exam: (percent: number) => `The exam isn’t passed (${percent}% needed).`,
  address: 'The email address isn’t confirmed.',
  nothing: 'Nothing is missing. The certificate will be issued within a minute.',
} as const

import { byCount } from '~/ui/format-count'

/**
 * Texts about completed work, in the learner's list of activity and in an operator's explanation.
 */

export const courseNotFound = 'We couldn’t find that course.'

/** For a page that another learner opened earlier. */
export const someoneElse =
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

/**
 * Why a lesson is done or not, as an operator reads it; several share one cell. Days are like
 * 2026-11-22.
 */
export const lessonReasons = {
  notStarted: 'not started',
  noLongerInCourse: 'no longer in the course',
  announced: 'announced: it has no material yet',
  finished: (day: string) => `finished on ${day}`,
  enoughSinceChange: 'that’s enough since the lesson changed: done at the next visit',
  marked: (day: string) => `marked as done by the learner on ${day}`,
  markTakenBack: (day: string) => `the learner took the mark back on ${day}`,
  watched: (share: string) => `watched ${share}`,
  watchedTooLittle: (share: string, needed: string) => `watched ${share}, ${needed} needed`,
  answered: (answered: number, count: number) =>
    byCount(
      count,
      `answered ${answered} of 1 question`,
      `answered ${answered} of ${count} questions`,
    ),
  readToEnd: 'read to the end',
} as const

import { byCount } from '~/ui/format-count'

/** The texts about completed lessons, courses and certificates. */
export const progressMessages = {
  courseNotFound: 'We couldn’t find that course.',
  /** The message for a form that was made for another learner. */
  otherLearner:
    'Someone else is now signed in on this browser, so we didn’t save this. Sign in again to save it.',
  confirmEmailForCertificate: 'Confirm your email address to receive your certificate.',
  /** Tells staff what a learner still needs for the certificate. */
  missing: {
    noExam: 'The course has no exam, so it has no certificate.',
    revoked: 'The certificate was issued and then revoked. To issue it again: certificate reissue',
    lessons: (count: number) =>
      byCount(count, '1 lesson isn’t done.', `${count} lessons aren’t done.`),
    exam: (percent: number) => `The exam isn’t passed (${percent}% needed).`,
    email: 'The email address isn’t confirmed.',
    name: 'The learner hasn’t given their name.',
    nothing: 'Nothing is missing. The certificate will be issued within a minute.',
  } as const,
}

/** The entry in the list of activities for a lesson that is done. */
export function lessonActivityText(
  verb: 'finished' | 'answered' | 'marked',
  lessonTitle: string,
  courseTitle: string,
): string {
  switch (verb) {
    case 'finished':
      return `Finished ${lessonTitle} in ${courseTitle}`
    case 'answered':
      return `Answered ${lessonTitle} in ${courseTitle}`
    case 'marked':
      return `Marked ${lessonTitle} in ${courseTitle} as done`
  }
}

/** The entry in the list of activities for a completed course. */
export function courseCompletedText(courseTitle: string): string {
  return `Completed ${courseTitle}`
}

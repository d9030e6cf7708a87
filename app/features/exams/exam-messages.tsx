import { byCount, formatCount } from '~/ui/format-count'
import { formatDateTime } from '~/ui/format-date'
import { siteName } from '~/ui/site-name'
import type { AttemptRules } from './attempt/attempt-rules'
import type { AnswerStatus } from './exam-page-data'

/** Describes the rules for attempts to learners. */
export function describeAttemptRules({
  maxAttempts,
  attemptsWithinDays,
  minutesBetweenAttempts,
}: AttemptRules): string {
  const allowed = describeAttemptLimit(maxAttempts, attemptsWithinDays)
  if (minutesBetweenAttempts === 0 || (maxAttempts === 1 && attemptsWithinDays === null)) {
    return allowed
  }

  return `${allowed} ${byCount(
    minutesBetweenAttempts,
    'Wait at least 1 minute between attempts.',
    `Wait at least ${minutesBetweenAttempts} minutes between attempts.`,
  )}`
}

function describeAttemptLimit(count: number, days: number | null): string {
  if (days === null) {
    return byCount(count, 'You get 1 attempt in total.', `You get ${count} attempts in total.`)
  }

  if (days === 1) {
    return byCount(
      count,
      'You get 1 attempt in 24 hours.',
      `You get ${count} attempts in 24 hours.`,
    )
  }

  return byCount(
    count,
    `You get 1 attempt in ${days} days.`,
    `You get ${count} attempts in ${days} days.`,
  )
}

/**
 * Describes when the learner sees the questions with their answers.
 *
 * @param areAttemptsRenewed whether used attempts become available again
 */
export function describeAnswersRule(areAttemptsRenewed: boolean): string {
  return areAttemptsRenewed
    ? 'You’ll see each question with its correct answer and explanation once you’ve passed.'
    : 'You’ll see each question with its correct answer and explanation once you’ve passed or used all your attempts.'
}

const answersRefused = 'Some answers couldn’t be saved. Go back and enter them again.'
const notSavedYet =
  'Some answers aren’t saved yet. They’re kept on this device. Come back on this device before time runs out.'

export const examMessages = {
  confirmEmailToStart: 'Confirm your email address to take this exam.',
  attemptsUsedUp: 'You’ve used all your attempts.',
  bestResultCounts: 'Your best result counts.',
  lessonsStayOpen: 'You can still open every lesson.',
  certificate: {
    revoked: 'Your certificate for this course was revoked.',
    earned: 'You earned the certificate for this course.',
    passExam: 'You’ve completed every lesson. Pass this exam to earn your certificate.',
  } as const,
  /** The number of lessons done, and the number that the certificate counts. */
  lessonCounts: {
    done: 'Lessons done',
    counted: 'Lessons your certificate counts',
    of: (count: number, total: number) => byCount(total, `${count} of 1`, `${count} of ${total}`),
    missing: (count: number) =>
      byCount(
        count,
        'You marked 1 lesson as done that your certificate doesn’t count yet. You can take the exam without it.',
        `You marked ${count} lessons as done that your certificate doesn’t count yet. You can take the exam without them.`,
      ),
  } as const,
  passedExam: 'You passed the exam.',
  /** The announcements of the remaining time for screen readers, by the remaining seconds. */
  timeAnnouncements: {
    0: 'Time’s up. Your answers are being submitted.',
    60: '1 minute left.',
    300: '5 minutes left.',
  } as Record<number, string>,
  unansweredDialog: {
    question: (count: number) =>
      byCount(
        count,
        'Submit with 1 unanswered question?',
        `Submit with ${count} unanswered questions?`,
      ),
    text: 'Unanswered questions count as incorrect. You can’t change your answers after you submit.',
  } as const,
  submissionProblems: {
    answersWaiting:
      'Your latest answers haven’t been saved yet. Check your connection, then submit again.',
    answersRefused,
    get unreachable() {
      return `We couldn’t reach ${siteName()}. Check your connection, then submit again.`
    },
  } as const,
  /** The labels of the save status in the exam's bar. */
  saveStatusLabels: {
    saved: 'Saved',
    saving: 'Saving',
    refused: 'Not saved',
    get unreachable() {
      return `Will save when ${siteName()} is back`
    },
    offline: 'Will save when you’re back online',
    'signed-out': 'Not saved yet',
    closed: 'Submitted',
    idle: 'Offline',
  } as const,
  formatMaintenancePause: (time: string) =>
    `Your exam was paused for ${time} while ${siteName()} was under maintenance. You still have all your time.`,
  /** Explains why answers can't be saved and what the learner can do. */
  savingProblems: {
    refused: 'We couldn’t save this answer. Please enter it again.',
    offline:
      'You’re offline. Your answers are kept on this device and will be sent when you’re back online. The clock is still running.',
    get unreachable() {
      return `We can’t reach ${siteName()}. Your answers are kept on this device and will be sent when it’s back. The clock is still running, unless ${siteName()} is under maintenance.`
    },
  } as const,
  /** Says whether answers survive leaving the exam. A separate notice says that an exam is over. */
  leavingMessages: {
    saved: 'Your answers so far are saved.',
    saving: 'Saving your answers...',
    closed: '',
    refused: answersRefused,
    offline: notSavedYet,
    'signed-out': notSavedYet,
  } satisfies Record<AnswerStatus, string>,
  attemptInProgress:
    'You have another attempt in progress. Submit it to see each question here again.',
  examNotFound: 'Exam not found',
  attemptNotFound: {
    heading: 'Attempt not found',
    title: 'We couldn’t find that attempt',
    sentence: 'We couldn’t find that attempt.',
    text: 'Only the learner who took an exam can see the result.',
  } as const,
  questionNotFound: 'We couldn’t find that question.',
}

/** Says why the exam could not be submitted, until the server has the answers. */
export function describeUnsentAnswers(status: AnswerStatus): string | null {
  switch (status) {
    case 'refused':
      return examMessages.submissionProblems.answersRefused

    case 'saved':
    case 'saving':
      return null

    default:
      return examMessages.submissionProblems.answersWaiting
  }
}

export function formatNextAttemptTime(nextAttemptAt: string, timezone: string): string {
  return `You can try again on ${formatDateTime(nextAttemptAt, timezone)}.`
}

export function formatTimeLimit(minutes: number): string {
  return formatCount(minutes, 'minute', 'minutes')
}

export function formatLessonsToFinish(remainingLessons: number): string {
  return byCount(
    remainingLessons,
    'Finish 1 more lesson to earn your certificate.',
    `Finish ${remainingLessons} more lessons to earn your certificate.`,
  )
}

export function formatQuestionPosition(number: number, count: number): string {
  return `Question ${number} of ${count}`
}

export function formatCorrectCount(score: number, maxScore: number): string {
  return `${score} of ${maxScore} correct`
}

/** The text of an exam in the list of recent activity. */
export function formatExamActivity(
  hasPassed: boolean,
  courseTitle: string,
  percent: number,
): string {
  return hasPassed
    ? `Passed the exam for ${courseTitle}: ${percent}%`
    : `Took the exam for ${courseTitle}: ${percent}%`
}

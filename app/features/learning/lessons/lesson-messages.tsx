import type { ReactNode } from 'react'
import { learnerLimits } from '~/features/enrollment/learner-limits'
import { byCount, formatNumber } from '~/ui/format-count'
import type { Linked } from '~/ui/more-link'
import { noteLimits } from '../notes/note-form'
import type { NoteRefusal } from '../notes/note-queries.server'
import type { ProgressRefusal } from '../progress/reported-progress'
import type { SaveStatus } from '../report/progress-reporter'
import type { QuizScore } from './kinds/quiz/quiz-run'
import type { NextStep } from './next-step'

const lessonNotFound = {
  heading: 'Lesson not found',
  title: 'We couldn’t find that lesson',
  sentence: 'We couldn’t find that lesson.',
  text: 'It may have been moved or removed from the course. We’ve kept your work in it.',
} as const

/** The messages on lesson pages. Labels and headings are in their components. */
export const lessonMessages = {
  lessonNotFound,
  lessonRetired:
    'This lesson is no longer part of the course. We’ve kept your work, but it doesn’t count toward your progress.',
  withoutScripts:
    'JavaScript is turned off. You can watch, read, take notes, add bookmarks and mark lessons as done, but your answers and how far you watched won’t be saved.',
  lessonOffline:
    'You’re offline. Your progress, answers, marks and new notes are saved on this device and will be sent when you’re back online. Other lessons and bookmarks need a connection.',
  noVideo: 'We can’t play this video right now.',
  enrollForVideo: 'Enroll in this course to watch this video.',
  articleRead: 'You’ve read this article.',
  nextWaitsForConnection: 'You’re offline. This will open by itself as soon as you’re back online.',
  /** What the course page says about the exam and the certificate, below the sections. */
  examStatuses: {
    open: 'Pass it to earn your certificate.',
    passed: 'Passed',
  } as const,
  certificateStatuses: {
    open: 'Finish every lesson and pass the final exam to earn it.',
    noExam: 'This course has no final exam yet, which its certificate needs.',
    waitsForConfirmation: 'You’ve earned it. Confirm your email address to get it.',
    issued: 'See your certificate',
  } as const,
  everyLessonFinished: 'You’ve finished every lesson.',
  whatCertificatesCount:
    'Your certificate counts only the videos you’ve watched, the quizzes you’ve answered, and the articles you’ve read.',
  /** The step from a finished course to its certificate. `link` turns its text into a link. */
  stepsToCertificate: {
    revoked: (link: Linked): ReactNode => <>Your certificate was revoked. {link('See why')}</>,
    issued: (link: Linked): ReactNode => link('See your certificate'),
    unconfirmed: (link: Linked): ReactNode => (
      <>{link('Confirm your email address')} to receive your certificate.</>
    ),
    exam: (link: Linked): ReactNode => <>{link('Take the exam')} to earn your certificate.</>,
  } as const,
  lastLesson: 'That was the last lesson.',
  chooseAnswerFirst: 'Choose an answer first.',
  judgments: {
    right: 'Correct.',
    rightThisTime: 'Correct this time.',
    wrong: 'Not quite.',
    oneMoreTry: 'You have one more try.',
  } as const,
  noNotes: {
    inLesson: 'You have no notes in this lesson yet.',
    inCourse: 'You have no notes in this course yet.',
    onLaterPage: 'There are no more notes.',
  } as const,
  notes: {
    saved: 'Note saved.',
    waiting: 'Saved on this device. It’s added to your notes once you’re back online.',
    empty: 'Write a note first.',
    tooLong: `Notes can be up to ${formatNumber(noteLimits.body)} characters.`,
    unstorable: 'Your note contains a character that we can’t save.',
  } as const,
  noteRefusals: {
    'not-enrolled': { status: 403, message: 'Enroll in this course to take notes.' },
    full: {
      status: 409,
      message: `You’ve reached the limit of ${noteLimits.perCourse} notes for this course. Delete one to add another.`,
    },
    'too-long-when-shown': {
      status: 422,
      message: 'This note is too long to display. Split it into two.',
    },
  } satisfies Record<NoteRefusal, { status: number; message: string }>,
  bookmarksAreFull: `You’ve reached the limit of ${learnerLimits.bookmarks} bookmarks. Remove one to add another.`,
  /** Says whether the learner's progress is saved. */
  saveStatusTexts: {
    saved: 'Saved',
    saving: 'Saving',
    offline: 'Offline: saved on this device',
    unkept: 'Not saved: keep this page open',
    'signed-out': 'Signed out: saved on this device',
    'not-enrolled': 'Not enrolled: saved on this device',
    refused: 'Not counted',
  } satisfies Record<Exclude<SaveStatus, 'collected'>, string>,
  /** The HTTP status of the response to a refused report, and its sentence for the learner. */
  progressRefusals: {
    'signed-out': { status: 401, message: 'Sign in to save your progress.' },
    'other-learner': { status: 403, message: 'This progress belongs to a different account.' },
    'no-lesson': { status: 404, message: lessonNotFound.sentence },
    'not-enrolled': { status: 403, message: 'Enroll in this course to save your progress.' },
    announced: { status: 422, message: 'This lesson isn’t available yet.' },
    'beyond-length': { status: 422, message: 'This goes past the end of the lesson.' },
    unread: { status: 422, message: 'Read the article to the end to finish it.' },
  } satisfies Record<ProgressRefusal, { status: number; message: string }>,
  /** The responses to reports that only a manipulated browser sends, or one after a clock change. */
  reportRefusals: {
    unreadable: 'This isn’t a progress report.',
    otherVisit: 'This report doesn’t belong to a visit to this lesson.',
    clockSetBack: 'Our clock was set back. This report will count once it catches up.',
    notStarted: 'This visit hasn’t started yet.',
    tooFast: 'This is faster than anyone can watch.',
    outsideVisit: 'This time is outside the visit.',
  } as const,
}

export function lessonsDoneText(done: number, total: number): string {
  return byCount(total, `${done} of 1 lesson done`, `${done} of ${total} lessons done`)
}

export function lessonsPlannedText(count: number): string {
  return byCount(count, '1 more lesson planned', `${count} more lessons planned`)
}

/** Returns what the page of a lesson says once the lesson is finished. */
export function getNextStepNotice(step: NextStep): { title: string; text: string } {
  const lessonFinished = 'Lesson finished'
  const courseFinished = 'You’ve finished the course'

  switch (step.kind) {
    case 'lesson':
      return { title: lessonFinished, text: `Next: ${step.lesson.title}` }
    case 'open-lesson':
      return {
        title: lessonFinished,
        text: byCount(
          step.openLessonCount,
          'You have 1 lesson left to finish.',
          `You have ${step.openLessonCount} lessons left to finish.`,
        ),
      }
    case 'exam':
      return {
        title: 'You’ve finished every lesson',
        text: 'Take the exam to earn your certificate.',
      }
    case 'certificate':
      return { title: courseFinished, text: 'Your certificate is ready.' }
    case 'revoked-certificate':
      return { title: courseFinished, text: 'Your certificate was revoked.' }
    case 'confirm-email':
      return {
        title: courseFinished,
        text: 'Confirm your email address to receive your certificate.',
      }
  }
}

export function questionPositionText(number: number, count: number): string {
  return `Question ${number} of ${count}`
}

type QuizSummary = {
  /** How many questions were never answered. */
  openCount: number
  questionCount: number
  isDone: boolean
  /** Whether every question was answered right in this browser. */
  isEverythingRight: boolean
}

export function quizSummaryText(summary: QuizSummary): string {
  const { openCount, questionCount, isDone, isEverythingRight } = summary
  if (openCount > 0) {
    return byCount(
      questionCount,
      '1 question left',
      `${openCount} of ${questionCount} questions left`,
    )
  }

  if (!isDone) {
    return 'You’ve answered every question. Mark this quiz as done when you’re ready.'
  }

  return isEverythingRight
    ? 'You’ve answered every question. Well done!'
    : 'You’ve answered every question.'
}

export function quizScoreText({ rightCount, triedCount, secondTryCount }: QuizScore): string {
  const score = `Your score: ${rightCount} of ${triedCount} correct`
  return secondTryCount === 0 ? score : `${score}, ${secondTryCount} on the second try`
}

import type { ReactNode } from 'react'
import { learnerLimits } from '~/features/enrollment/learner-limits'
import { byCount } from '~/ui/format-count'
import type { RenderLink } from '~/ui/more-link'
import type { NextStep } from './next-step'

/** The messages of lesson pages and course pages. Labels and headings are in their components. */
export const lessonMessages = {
  lessonNotFound: {
    heading: 'Lesson not found',
    title: 'We couldn’t find that lesson',
    sentence: 'We couldn’t find that lesson.',
    text: 'It may have been moved or removed from the course. We’ve kept your work in it.',
  } as const,
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
    revoked: (renderLink: RenderLink): ReactNode => (
      <>Your certificate was revoked. {renderLink('See why')}</>
    ),
    issued: (renderLink: RenderLink): ReactNode => renderLink('See your certificate'),
    unconfirmed: (renderLink: RenderLink): ReactNode => (
      <>{renderLink('Confirm your email address')} to receive your certificate.</>
    ),
    exam: (renderLink: RenderLink): ReactNode => (
      <>{renderLink('Take the exam')} to earn your certificate.</>
    ),
  } as const,
  lastLesson: 'That was the last lesson.',
  bookmarksAreFull: `You’ve reached the limit of ${learnerLimits.bookmarks} bookmarks. Remove one to add another.`,
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

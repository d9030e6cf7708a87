/**
 * What follows after a lesson. The player, the links and the keyboard all lead to the same next
 * step, and wait for a connection if there is none.
 */
import { type MouseEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { hasMaterial } from '~/features/courses/lessons/lesson-kinds'
import { useOnline } from '~/ui/connection'
import type { LessonEntry, LessonPageData } from './lesson-page-data'
import { learnPath } from './lesson-url'

export type NextStep =
  | { kind: 'lesson'; lesson: LessonEntry }
  /** This is the last lesson, but others are not done. `lesson` is the first of them. */
  | { kind: 'open-lesson'; lesson: LessonEntry; openLessonCount: number }
  | { kind: 'exam' }
  | { kind: 'confirm-email' }
  | { kind: 'certificate' | 'revoked-certificate'; certificateId: string }

type CourseCertificate = Pick<LessonPageData['course'], 'certificate' | 'certificateWaits'>

/**
 * Returns the next lesson with material or, after the last lesson, the first one that is not done.
 * Once all lessons are done, returns the certificate. If the certificate waits for a confirmed
 * email, returns the page that confirms it. If no certificate is earned yet, returns the exam.
 */
export function findNextStep(
  lessons: readonly LessonEntry[],
  lessonId: string,
  { certificate, certificateWaits }: CourseCertificate,
): NextStep {
  const nextLesson = findNextLesson(lessons, lessonId)
  if (nextLesson) {
    return { kind: 'lesson', lesson: nextLesson }
  }

  const openLessons = lessons.filter(
    (lesson) => hasMaterial(lesson) && !lesson.done && lesson.id !== lessonId,
  )
  const firstOpenLesson = openLessons[0]
  if (firstOpenLesson) {
    return { kind: 'open-lesson', lesson: firstOpenLesson, openLessonCount: openLessons.length }
  }

  if (certificate) {
    const { id, revoked } = certificate
    return { kind: revoked ? 'revoked-certificate' : 'certificate', certificateId: id }
  }

  return { kind: certificateWaits ? 'confirm-email' : 'exam' }
}

/** Returns the nearest lesson with material after a lesson. */
function findNextLesson(
  lessons: readonly LessonEntry[],
  lessonId: string,
): LessonEntry | undefined {
  const index = lessons.findIndex(({ id }) => id === lessonId)
  return lessons.slice(index + 1).find(hasMaterial)
}

/** Returns the nearest lesson with material before a lesson, or null. */
export function findPreviousLesson(
  lessons: readonly LessonEntry[],
  lessonId: string,
): LessonEntry | null {
  const index = lessons.findIndex(({ id }) => id === lessonId)
  return lessons.slice(0, Math.max(index, 0)).findLast(hasMaterial) ?? null
}

/** @param basePath the beginning of the URLs of lessons, as in `LessonPathContext` */
export function nextStepUrl(nextStep: NextStep, courseId: string, basePath = learnPath): string {
  switch (nextStep.kind) {
    case 'lesson':
    case 'open-lesson':
      return `${basePath}/${courseId}/${nextStep.lesson.id}`
    case 'exam':
      return `/Exam/${courseId}`
    case 'confirm-email':
      return '/ConfirmEmail'
    case 'certificate':
    case 'revoked-certificate':
      return `/Certificate/${nextStep.certificateId}`
  }
}

/** The labels of the link to the next step. */
export const nextStepLabels: Record<NextStep['kind'], string> = {
  lesson: 'Next',
  'open-lesson': 'Next open lesson',
  exam: 'Go to exam',
  'confirm-email': 'Confirm your email',
  certificate: 'See your certificate',
  'revoked-certificate': 'See why it was revoked',
}

export type NextStepNavigation = ReturnType<typeof useNextStepNavigation>

/**
 * Opens the next step. Without a connection, the next step opens as soon as the browser is online.
 */
export function useNextStepNavigation(url: string) {
  const navigate = useNavigate()
  const nextHistoryState = useRef<object>(undefined)
  const { isWaiting, start } = useRunWhenOnline(
    () => void navigate(url, { state: nextHistoryState.current }),
  )

  /** @param historyState the state of the new history entry */
  const open = (historyState?: object) => {
    nextHistoryState.current = historyState
    start()
  }

  return {
    isWaiting,
    open,

    /** Handles a click on a link to the same URL. The link works by itself while online. */
    handleLinkClick(event: MouseEvent, historyState?: object) {
      if (navigator.onLine) {
        return
      }

      event.preventDefault()
      open(historyState)
    },
  }
}

/** Runs an action once for each call of `start`, as soon as the browser is online. */
function useRunWhenOnline(action: () => void) {
  const isOnline = useOnline()
  const [isStarted, setIsStarted] = useState(false)
  const runAction = useEffectEvent(action)

  useEffect(() => {
    if (!isStarted || !isOnline) {
      return
    }

    setIsStarted(false)
    runAction()
  }, [isStarted, isOnline])

  return { isWaiting: isStarted && !isOnline, start: () => setIsStarted(true) }
}

/** The state of a history entry whose video plays by itself. */
export const autoplayState = { play: true }

/**
 * Returns whether a video plays by itself. It does not if the learner went back to it or reloaded
 * its page.
 *
 * @param historyState the state of the history entry
 * @param navigationType React Router's type, which is `POP` for going back and for a reload
 */
export function shouldAutoplay(historyState: unknown, navigationType: string): boolean {
  const hasAutoplayState = (historyState as { play?: unknown } | null)?.play === true
  return hasAutoplayState && navigationType !== 'POP'
}

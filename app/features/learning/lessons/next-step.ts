import { type MouseEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { hasMaterial } from '~/features/courses/lessons/lesson-kinds'
import { useOnline } from '~/ui/connection'
import type { LessonEntry, LessonPageData } from './lesson-page-data'
import { learnPath } from './lesson-url'

/** What follows after a lesson. */
export type NextStep =
  | { kind: 'lesson'; lesson: LessonEntry }
  /** This is the last lesson, but `open` other lessons are not done. `lesson` is the first of them. */
  | { kind: 'open-lesson'; lesson: LessonEntry; open: number }
  | { kind: 'exam' }
  | { kind: 'confirm-email' }
  | { kind: 'certificate' | 'revoked-certificate'; certificateId: string }

type Course = Pick<LessonPageData['course'], 'certificate' | 'certificateWaits'>

/**
 * Returns the next lesson with material. After the last lesson, returns the first lesson that is not
 * done. Once all lessons are done, returns the exam or what its certificate needs.
 */
export function findNextStep(
  lessons: readonly LessonEntry[],
  lessonId: string,
  course: Course,
): NextStep {
  const nextLesson = findNeighborLesson(lessons, lessonId, 1)
  if (nextLesson) {
    return { kind: 'lesson', lesson: nextLesson }
  }

  const openLessons = lessons.filter(
    (lesson) => hasMaterial(lesson) && !lesson.done && lesson.id !== lessonId,
  )
  const firstOpenLesson = openLessons[0]
  if (firstOpenLesson) {
    return { kind: 'open-lesson', lesson: firstOpenLesson, open: openLessons.length }
  }

  if (course.certificate) {
    const { id, revoked } = course.certificate
    return { kind: revoked ? 'revoked-certificate' : 'certificate', certificateId: id }
  }

  return { kind: course.certificateWaits ? 'confirm-email' : 'exam' }
}

/** Returns the nearest lesson with material before (-1) or after (1) a lesson, or null. */
export function findNeighborLesson(
  lessons: readonly LessonEntry[],
  lessonId: string,
  direction: 1 | -1,
): LessonEntry | null {
  const index = lessons.findIndex(({ id }) => id === lessonId)
  const laterLessons = lessons.slice(index + 1)
  const earlierLessons = lessons.slice(0, Math.max(0, index))

  const neighbor =
    direction === 1 ? laterLessons.find(hasMaterial) : earlierLessons.findLast(hasMaterial)
  return neighbor ?? null
}

/** @param path the beginning of the URLs of lessons, as in `LessonPathContext` */
export function nextStepUrl(nextStep: NextStep, courseId: string, path = learnPath): string {
  switch (nextStep.kind) {
    case 'lesson':
    case 'open-lesson':
      return `${path}/${courseId}/${nextStep.lesson.id}`
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
export const stepLabels: Record<NextStep['kind'], string> = {
  lesson: 'Next',
  'open-lesson': 'Next open lesson',
  exam: 'Go to exam',
  'confirm-email': 'Confirm your email',
  certificate: 'See your certificate',
  'revoked-certificate': 'See why it was revoked',
}

export type NextStepNavigation = ReturnType<typeof useNextStepNavigation>

/** Opens the next step. Without a connection, the next step opens as soon as the browser is online. */
export function useNextStepNavigation(url: string) {
  const navigate = useNavigate()
  const historyState = useRef<object>(undefined)
  const { isWaiting, start } = useOnceOnline(
    () => void navigate(url, { state: historyState.current }),
  )

  /** @param state the state of the new history entry */
  const open = (state?: object) => {
    historyState.current = state
    start()
  }

  return {
    isWaiting,
    open,

    /** Handles a click on a link to the same URL. The link works by itself while online. */
    handleLinkClick(event: MouseEvent, state?: object) {
      if (navigator.onLine) {
        return
      }

      event.preventDefault()
      open(state)
    },
  }
}

/** Runs an action once after `start` was called, as soon as the browser is online. */
function useOnceOnline(action: () => void) {
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
 * Returns whether a video plays by itself. A video to which the learner went back does not, and
 * neither does one whose page was reloaded.
 *
 * @param state the state of the history entry
 * @param navigationType React Router's type, which is also `POP` for a loaded page
 */
export function shouldAutoplay(state: unknown, navigationType: string): boolean {
  const hasAutoplayState = (state as { play?: unknown } | null)?.play === true
  return hasAutoplayState && navigationType !== 'POP'
}

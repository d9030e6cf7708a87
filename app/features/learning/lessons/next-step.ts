import { type MouseEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { hasMaterial } from '~/features/courses/lessons/lesson-kinds'
import { useOnline } from '~/ui/connection'
import type { LessonEntry, LessonPageData } from './lesson-page-data'
import { learnPath } from './lesson-url'

/** The step after a lesson. */
export type NextStep =
  | { kind: 'lesson'; lesson: LessonEntry }
  /** The last lesson of the course, but others before it are open. */
  | { kind: 'open-lesson'; lesson: LessonEntry; open: number }
  | { kind: 'exam' }
  | { kind: 'confirm-email' }
  | { kind: 'certificate' | 'revoked-certificate'; certificateId: string }

type Course = Pick<LessonPageData['course'], 'certificate' | 'certificateWaits'>

/**
 * The next lesson with material, then those that were left out, then the exam, and after it the
 * certificate.
 */
export function findNextStep(
  lessons: readonly LessonEntry[],
  lessonId: string,
  course: Course,
): NextStep {
  const next = findNeighborLesson(lessons, lessonId, 1)
  if (next) {
    return { kind: 'lesson', lesson: next }
  }

  const open = lessons.filter(
    (lesson) => hasMaterial(lesson) && !lesson.done && lesson.id !== lessonId,
  )
  if (open[0]) {
    return { kind: 'open-lesson', lesson: open[0], open: open.length }
  }

  if (course.certificate) {
    const { id, revoked } = course.certificate
    return { kind: revoked ? 'revoked-certificate' : 'certificate', certificateId: id }
  }

  return { kind: course.certificateWaits ? 'confirm-email' : 'exam' }
}

/** The nearest lesson with material before (-1) or after (1) this one. */
export function findNeighborLesson(
  lessons: readonly LessonEntry[],
  id: string,
  direction: 1 | -1,
): LessonEntry | null {
  const index = lessons.findIndex((lesson) => lesson.id === id)
  const side =
    direction === 1 ? lessons.slice(index + 1) : lessons.slice(0, Math.max(0, index)).reverse()
  return side.find(hasMaterial) ?? null
}

/** @param path the beginning of the address, as in `LessonPathContext`. */
export function nextStepUrl(step: NextStep, courseId: string, path = learnPath): string {
  if (step.kind === 'exam') {
    return `/Exam/${courseId}`
  }

  if ('certificateId' in step) {
    return `/Certificate/${step.certificateId}`
  }

  if (step.kind === 'confirm-email') {
    return '/ConfirmEmail'
  }

  return `${path}/${courseId}/${step.lesson.id}`
}

/** The link's text. */
export const stepLabels: Record<NextStep['kind'], string> = {
  lesson: 'Next',
  'open-lesson': 'Next open lesson',
  exam: 'Go to exam',
  'confirm-email': 'Confirm your email',
  certificate: 'See your certificate',
  'revoked-certificate': 'See why it was revoked',
}

/** Does something as soon as there is a connection: at once, or when it is back. */
function useOnceOnline(action: () => void) {
  const online = useOnline()
  const [asked, setAsked] = useState(false)
  const act = useEffectEvent(action)
  useEffect(() => {
    if (!asked || !online) {
      return
    }

    setAsked(false)
    act()
  }, [asked, online])

  return { waiting: asked && !online, start: () => setAsked(true) }
}

export type NextStepNavigation = ReturnType<typeof useNextStepNavigation>

/** Leads to the next step; without a connection, as soon as it is back. */
export function useNextStepNavigation(to: string) {
  const navigate = useNavigate()
  const historyState = useRef<object>(undefined)
  const { waiting, start } = useOnceOnline(() => void navigate(to, { state: historyState.current }))
  const go = (state?: object) => {
    historyState.current = state
    start()
  }

  return {
    waiting,
    go,
    /** For a link to the same address. */
    follow(event: MouseEvent, state?: object) {
      if (navigator.onLine) {
        return
      }

      event.preventDefault()
      go(state)
    },
  }
}

/** State of the history entry: a video that was reached by a link plays by itself. */
export const autoplayState = { play: true }

/**
 * Whether a video begins to play by itself. One that the learner went back to, or loaded anew,
 * waits.
 *
 * @param state of the history entry.
 * @param navigationType of React Router; `POP` also for a page that was loaded.
 */
export function shouldAutoplay(state: unknown, navigationType: string): boolean {
  return navigationType !== 'POP' && (state as { play?: unknown } | null)?.play === true
}

import { type RefObject, useEffect, useState, useSyncExternalStore } from 'react'
import { outbox } from '~/outbox/outbox'
import { isLessonDone } from '../lessons/kinds/lesson-rules'
import type { PlayerHandle } from '../lessons/kinds/video/video-player'
import type { OpenLesson } from '../lessons/lesson-page-data'
import { type LessonVisit, ProgressReporter, VisitClock } from './progress-reporter'
import { progressReports } from './progress-reports'

type LessonVisitInput = { visit: LessonVisit; courseId: string; lesson: OpenLesson }

/**
 * Connects the page of a lesson with a reporter, which collects, stores and sends the learner's
 * progress. The component must be mounted again for another lesson.
 */
export function useLessonVisit({ visit, courseId, lesson }: LessonVisitInput) {
  const [{ reporter, clock }] = useState(() => createReporter({ visit, courseId, lesson }))
  const reporterState = useSyncExternalStore(
    reporter.subscribe,
    () => reporter.state,
    () => reporter.state,
  )

  useEffect(() => reporter.mergeLoaded(lesson), [reporter, lesson])

  useEffect(() => {
    const stopListening = outbox.onResult(progressReports, reporter.handleReportResult)
    const stopSending = outbox.sendAutomatically([progressReports], visit.uid)
    const sendBeforeLeaving = () => void reporter.flush({ isPageClosing: true })
    const handleVisibilityChange = () => {
      if (document.visibilityState === 'hidden') {
        sendBeforeLeaving()
      }
    }

    window.addEventListener('pagehide', sendBeforeLeaving)
    document.addEventListener('visibilitychange', handleVisibilityChange)

    return () => {
      window.removeEventListener('pagehide', sendBeforeLeaving)
      document.removeEventListener('visibilitychange', handleVisibilityChange)
      void reporter.close()
      stopSending()
      stopListening()
    }
  }, [reporter, visit.uid])

  return { reporter, clock, ...reporterState }
}

function createReporter({ visit, courseId, lesson }: LessonVisitInput) {
  const clock = new VisitClock(visit.openedAt)
  const reporter = new ProgressReporter(
    { ...visit, courseId, lessonId: lesson.id },
    { progress: lesson.progress, done: lesson.done },
    {
      clock,
      outbox,
      isDone: (progress, wasDone) => isLessonDone(lesson, progress, wasDone),
    },
  )

  return { reporter, clock }
}

/** A learner without any input for this time counts as away. */
const awayAfterMs = 120_000
const tickMs = 1_000
/** If two ticks are further apart, the computer was asleep in between. */
const maxTickGapMs = 5_000

const inputEvents = [
  'pointerdown',
  'pointermove',
  'keydown',
  'wheel',
  'touchstart',
  'scroll',
] as const

type StudyTimeInput = {
  reporter: ProgressReporter
  clock: VisitClock
  player: RefObject<PlayerHandle | null>
  /** Time counts only in a lesson with material. */
  isEnabled: boolean
}

/**
 * Measures the time of active learning: the video plays, or the page is visible and used. A page
 * in the background counts only while its video plays in a window of its own.
 */
export function useStudyTime({ reporter, clock, player, isEnabled }: StudyTimeInput): void {
  useEffect(() => {
    if (!isEnabled) {
      return
    }

    let lastInputAt = clock.now()
    /** The end of the time that was counted so far, or null while the learner is not active. */
    let countedUntil: number | null = null

    const handleInput = () => {
      lastInputAt = clock.now()
    }

    const isActive = (now: number) => {
      const isVisible =
        document.visibilityState === 'visible' || (player.current?.isInOwnWindow() ?? false)
      const isPlaying = player.current?.isPlaying() ?? false
      const isPresent = isPlaying || now - lastInputAt < awayAfterMs
      return isVisible && isPresent
    }

    const tick = () => {
      const now = clock.now()
      const isActiveNow = isActive(now)
      if (isActiveNow && countedUntil !== null && now - countedUntil < maxTickGapMs) {
        reporter.recordStudied(countedUntil, now)
      }

      countedUntil = isActiveNow ? now : null
    }

    tick()
    const timer = setInterval(tick, tickMs)
    const listenerController = new AbortController()
    const { signal } = listenerController
    for (const name of inputEvents) {
      document.addEventListener(name, handleInput, { passive: true, capture: true, signal })
    }

    document.addEventListener('visibilitychange', tick, { signal })

    return () => {
      tick()
      clearInterval(timer)
      listenerController.abort()
    }
  }, [reporter, clock, player, isEnabled])
}

import { type RefObject, useEffect, useState, useSyncExternalStore } from 'react'
import { outbox } from '~/outbox/outbox'
import { isLessonDone } from '../lessons/kinds/lesson-rules'
import type { PlayerHandle } from '../lessons/kinds/video/video-player'
import type { OpenLesson } from '../lessons/lesson-page-data'
import { ProgressReporter, VisitClock } from './progress-reporter'
import { progressReports } from './progress-reports'

type Visit = { uid: string; openedAt: number; lengthMs: number; signature: string }

/**
 * One visit of a lesson: collects, stores and sends the learner's work, even if the network or the
 * tab fails. The page has to be mounted anew for another lesson.
 */
export function useLessonVisit({
  visit,
  courseId,
  lesson,
}: {
  visit: Visit
  courseId: string
  lesson: OpenLesson
}) {
  const [{ reporter, clock }] = useState(() => startReporting(visit, courseId, lesson))
  const state = useSyncExternalStore(
    reporter.subscribe,
    () => reporter.state,
    () => reporter.state,
  )

  useEffect(() => reporter.takeStored(lesson), [reporter, lesson])

  useEffect(() => {
    const stopListening = outbox.listen(progressReports, reporter.take)
    const stopWatching = outbox.watch([progressReports], visit.uid)
    const leave = () => void reporter.flush({ leaving: true })
    const hide = () => {
      if (document.visibilityState === 'hidden') {
        leave()
      }
    }

    window.addEventListener('pagehide', leave)
    document.addEventListener('visibilitychange', hide)

    return () => {
      window.removeEventListener('pagehide', leave)
      document.removeEventListener('visibilitychange', hide)
      void reporter.close()
      stopWatching()
      stopListening()
    }
  }, [reporter, visit.uid])

  return { reporter, clock, ...state }
}

function startReporting(visit: Visit, courseId: string, lesson: OpenLesson) {
  const clock = new VisitClock(visit.openedAt)
  const reporter = new ProgressReporter(
    { ...visit, courseId, lessonId: lesson.id },
    { work: lesson.work, done: lesson.done },
    { clock, outbox, isDone: (work, before) => isLessonDone(lesson, work, before) },
  )

  return { reporter, clock }
}

/** After this long without input the learner counts as away. */
const restMs = 120_000
const tickMs = 1_000
/** A longer gap between two ticks means that the computer slept. */
const gapMs = 5_000

const signs = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart', 'scroll'] as const

/**
 * Counts the time of active learning: the video plays, or the page is in front and in use. A page
 * in the background does not count, except while its video plays in a window of its own.
 */
export function useStudyTime(
  reporter: ProgressReporter,
  clock: VisitClock,
  player: RefObject<PlayerHandle | null>,
  /** Without material, no time counts. */
  enabled: boolean,
): void {
  useEffect(() => {
    if (!enabled) {
      return
    }

    let lastSign = clock.now()
    let countedTo: number | null = null
    const notice = () => {
      lastSign = clock.now()
    }
    const tick = () => {
      const now = clock.now()
      const playing = player.current?.isPlaying() ?? false
      const inSight =
        document.visibilityState === 'visible' || (player.current?.isInOwnWindow() ?? false)
      const there = inSight && (playing || now - lastSign < restMs)
      if (there && countedTo !== null && now - countedTo < gapMs) {
        reporter.recordStudied(countedTo, now)
      }

      countedTo = there ? now : null
    }

    tick()
    const timer = setInterval(tick, tickMs)
    for (const sign of signs) {
      document.addEventListener(sign, notice, { passive: true, capture: true })
    }

    document.addEventListener('visibilitychange', tick)

    return () => {
      tick()
      clearInterval(timer)
      for (const sign of signs) {
        document.removeEventListener(sign, notice, { capture: true })
      }

      document.removeEventListener('visibilitychange', tick)
    }
  }, [reporter, clock, player, enabled])
}

import { type RefObject, useEffect } from 'react'
import type { PlayerHandle } from '../video-player'
import type { ProgressReporter } from './progress-reporter'
import type { VisitClock } from './visit-clock'

/** Without any sign of the learner for this long, a page is open but nobody reads it. */
const restMs = 120_000
const tickMs = 1_000
/** A longer gap between two ticks means that the computer slept. */
const gapMs = 5_000

const signs = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart', 'scroll'] as const

/**
 * Counts the time that the learner is really there: the video plays, or the page is in front and somebody uses it. A
 * page in the background does not count, except while its video plays in a window of its own.
 */
export function useStudyTime(
  reporter: ProgressReporter,
  clock: VisitClock,
  player: RefObject<PlayerHandle | null>,
  /** Where there is nothing to learn, no time counts. */
  enabled: boolean,
): void {
  useEffect(() => {
    if (!enabled) return
    let lastSign = clock.now()
    let countedTo: number | null = null
    const notice = () => {
      lastSign = clock.now()
    }
    const tick = () => {
      const now = clock.now()
      const playing = player.current?.isPlaying() ?? false
      const inSight = document.visibilityState === 'visible' || (player.current?.isInOwnWindow() ?? false)
      const there = inSight && (playing || now - lastSign < restMs)
      if (there && countedTo !== null && now - countedTo < gapMs) reporter.recordStudied(countedTo, now)
      countedTo = there ? now : null
    }
    tick()
    const timer = setInterval(tick, tickMs)
    for (const sign of signs) document.addEventListener(sign, notice, { passive: true, capture: true })
    document.addEventListener('visibilitychange', tick)
    return () => {
      tick()
      clearInterval(timer)
      for (const sign of signs) document.removeEventListener(sign, notice, { capture: true })
      document.removeEventListener('visibilitychange', tick)
    }
  }, [reporter, clock, player, enabled])
}

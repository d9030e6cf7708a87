import { useEffect, useLayoutEffect, useSyncExternalStore } from 'react'
import { useLocation } from 'react-router'
import { fetchAnswer } from '~/ui/fetch-answer'
import { onWorkFollowedUp } from '../course-work/work-followed-up'
import type { EarnedMoment } from './earned-moment'
import { MomentTaker } from './moment-taker'

const listeners = new Set<() => void>()

const taker = new MomentTaker({
  ask: () => fetchAnswer<EarnedMoment | null>('/Moments', new URLSearchParams()),
  isHidden: () => document.visibilityState === 'hidden',
  now: Date.now,
  onChange: () => {
    for (const listener of listeners) listener()
  },
})

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/**
 * What a learner has just achieved and not seen yet, one at a time: asked for when a page opens, and when the server has
 * taken work from which something may follow.
 */
export function useWaitingMoment(uid: string): EarnedMoment | null {
  const { pathname } = useLocation()
  // Before the page is drawn, so that what leaves does not flash up on it.
  useLayoutEffect(() => taker.openPage(pathname), [pathname])
  useEffect(() => {
    let due = true
    const takeIfDue = async () => {
      if (due) due = !(await taker.take(uid))
    }
    const takeAgain = () => {
      due = true
      void takeIfDue()
    }
    takeAgain()
    document.addEventListener('visibilitychange', takeIfDue)
    const stop = onWorkFollowedUp(takeAgain)
    return () => {
      document.removeEventListener('visibilitychange', takeIfDue)
      stop()
    }
  }, [uid])
  const current = useSyncExternalStore(
    subscribe,
    () => taker.shown,
    () => null,
  )
  return current?.uid === uid ? current.moment : null
}

/** It was seen; the next one may come. */
export const dropMoment = () => taker.drop()

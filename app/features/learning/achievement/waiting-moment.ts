import { useEffect, useLayoutEffect, useSyncExternalStore } from 'react'
import { useLocation } from 'react-router'
import { fetchAnswer } from '~/ui/fetch-answer'
import { onWorkFollowedUp } from '../course-work/work-followed-up'
import type { EarnedMoment, TakenMoment } from './earned-moment'
import { MomentTaker } from './moment-taker'

const listeners = new Set<() => void>()

const taker = new MomentTaker({
  ask: () => fetchAnswer<TakenMoment | null>('/Moments', new URLSearchParams()),
  tell: (events) => void fetchAnswer('/Moments', new URLSearchParams(events.map((event) => ['shown', event]))),
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
  const moment = current?.uid === uid ? current.moment : null
  useEffect(() => {
    if (!moment) return
    const tell = () => taker.drawn()
    tell()
    document.addEventListener('visibilitychange', tell)
    return () => document.removeEventListener('visibilitychange', tell)
  }, [moment])
  return moment
}

/** It was seen; the next one may come. */
export const dropMoment = () => taker.drop()

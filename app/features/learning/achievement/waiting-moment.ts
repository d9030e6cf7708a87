import { useEffect, useSyncExternalStore } from 'react'
import { fetchAnswer } from '~/ui/fetch-answer'
import { onWorkFollowedUp } from '../course-work/work-followed-up'
import type { EarnedMoment } from './earned-moment'

type Shown = { uid: string; moment: EarnedMoment }

/** What this tab took and shows; it outlives the page that took it, which may be on its way out. */
let shown: Shown | null = null
let asking = false
const listeners = new Set<() => void>()

function change(next: Shown | null): void {
  shown = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** A tab that nobody looks at leaves it to the one that is looked at. @returns whether the server was asked. */
async function take(uid: string): Promise<boolean> {
  if (asking || shown?.uid === uid || document.visibilityState === 'hidden') return false
  asking = true
  const moment = await fetchAnswer<EarnedMoment | null>('/Moments', new URLSearchParams())
  asking = false
  if (moment) change({ uid, moment })
  return true
}

/**
 * What a learner has just achieved and not seen yet, one at a time: asked for when a page opens, and when the server has
 * taken work from which something may follow.
 */
export function useWaitingMoment(uid: string): EarnedMoment | null {
  useEffect(() => {
    let due = true
    const takeIfDue = async () => {
      if (due) due = !(await take(uid))
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
    () => shown,
    () => null,
  )
  return current?.uid === uid ? current.moment : null
}

/** It was seen; the next one may come. */
export function dropMoment(): void {
  const uid = shown?.uid
  change(null)
  if (uid !== undefined) void take(uid)
}

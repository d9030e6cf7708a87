import { useEffect, useSyncExternalStore } from 'react'
import { fetchAnswer } from '~/ui/fetch-answer'
import { onWorkFollowedUp } from '../course-work/work-followed-up'
import { type EarnedMoment, momentsToShow } from './earned-moment'

type Kept = { uid: string | null; moments: readonly EarnedMoment[] }

const nothing: Kept = { uid: null, moments: [] }

/** What this tab took and has not shown yet: it outlives the page that took it, which may be on its way out. */
let kept = nothing
const listeners = new Set<() => void>()

function change(next: Kept): void {
  kept = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/**
 * What a learner has just achieved and not seen yet, in the order to show it: asked for when a page opens, and when the
 * server has taken work from which something may follow.
 */
export function useWaitingMoments(uid: string): readonly EarnedMoment[] {
  useEffect(() => {
    let due = true
    const take = async () => {
      // A tab that nobody looks at leaves it to the one that is looked at.
      if (!due || document.visibilityState === 'hidden') return
      due = false
      const earned = await fetchAnswer<EarnedMoment[]>('/Moments', new URLSearchParams())
      if (!earned?.length) return
      const before = kept.uid === uid ? kept.moments : []
      change({ uid, moments: [...before, ...momentsToShow(earned)] })
    }
    const takeAgain = () => {
      due = true
      void take()
    }
    void take()
    document.addEventListener('visibilitychange', take)
    const stop = onWorkFollowedUp(takeAgain)
    return () => {
      document.removeEventListener('visibilitychange', take)
      stop()
    }
  }, [uid])
  const { uid: theirs, moments } = useSyncExternalStore(
    subscribe,
    () => kept,
    () => nothing,
  )
  return theirs === uid ? moments : nothing.moments
}

/** The first of them was seen. */
export function dropFirstMoment(): void {
  change({ ...kept, moments: kept.moments.slice(1) })
}

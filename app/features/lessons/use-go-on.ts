import { type MouseEvent, useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { useOnline } from '~/ui/connection'

export type GoOn = ReturnType<typeof useGoOn>

/** Leads to the next step; without a connection, as soon as it is back. */
export function useGoOn(to: string) {
  const online = useOnline()
  const navigate = useNavigate()
  /** The history state of the navigation that waits. */
  const [waits, setWaits] = useState<{ state?: object } | null>(null)
  useEffect(() => {
    if (!waits || !online) return
    setWaits(null)
    void navigate(to, waits)
  }, [waits, online, navigate, to])
  return {
    waiting: waits !== null && !online,
    go: (state?: object) => setWaits({ state }),
    /** For a link to the same address. */
    follow(event: MouseEvent, state?: object) {
      if (navigator.onLine) return
      event.preventDefault()
      setWaits({ state })
    },
  }
}

/** State of the history entry: a video that was reached by a link plays by itself. */
export const playsAtOnce = { play: true }

/**
 * Whether a video begins to play by itself. One that the learner went back to, or loaded anew, waits.
 *
 * @param state of the history entry.
 * @param navigationType of React Router; `POP` also for a page that was loaded.
 */
export function beginsToPlay(state: unknown, navigationType: string): boolean {
  return navigationType !== 'POP' && (state as { play?: unknown } | null)?.play === true
}

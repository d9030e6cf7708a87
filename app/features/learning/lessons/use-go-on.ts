import { type MouseEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { useOnline } from '~/ui/connection'

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

export type GoOn = ReturnType<typeof useGoOn>

/** Leads to the next step; without a connection, as soon as it is back. */
export function useGoOn(to: string) {
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
export const playsAtOnce = { play: true }

/**
 * Whether a video begins to play by itself. One that the learner went back to, or loaded anew,
 * waits.
 *
 * @param state of the history entry.
 * @param navigationType of React Router; `POP` also for a page that was loaded.
 */
export function beginsToPlay(state: unknown, navigationType: string): boolean {
  return navigationType !== 'POP' && (state as { play?: unknown } | null)?.play === true
}

import { useEffect, useRef, useState } from 'react'

/** Together some two minutes, in which a lecture hall signs in. */
const mostTries = 40

/**
 * Sends something again while Learnify is too busy for it, as its answer's `Retry-After` would have it, which no script of a page
 * gets to see: after two to five seconds, so that not all come back together.
 */
export function useAnotherTry(send: () => void) {
  const [seconds, setSeconds] = useState<number | null>(null)
  const tries = useRef(0)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  return {
    /** How long this wait is in all; it stays until the answer of what was sent then. */
    seconds,
    /** @returns false when it was tried often enough. */
    wait(): boolean {
      if (tries.current >= mostTries) return false
      tries.current += 1
      const wait = 2 + Math.floor(Math.random() * 4)
      setSeconds(wait)
      timer.current = setTimeout(send, wait * 1000)
      return true
    },
    /** Somebody sends it by hand meanwhile. */
    sent: () => clearTimeout(timer.current),
    stop() {
      clearTimeout(timer.current)
      tries.current = 0
      setSeconds(null)
    },
  }
}

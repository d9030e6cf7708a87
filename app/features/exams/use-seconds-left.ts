import { useEffect, useEffectEvent, useState } from 'react'

type Deadline = {
  /** ISO date-time. */
  deadlineAt: string
  /** By the server's clock, when it made the page. */
  secondsLeft: number
}

/** This device was asleep, or its clock was set, when its two clocks differ by more than this. */
const doubtMs = 2_000

/**
 * The seconds left, counted on by a clock that nobody can set. After a sleep, which that clock may have missed, the
 * server is asked for the time.
 *
 * @param onSecond gets the seconds left before and now, once a second until there are none.
 */
export function useSecondsLeft(
  { deadlineAt, secondsLeft }: Deadline,
  onSecond: (before: number, now: number) => void,
): number {
  const [left, setLeft] = useState(secondsLeft)
  const tell = useEffectEvent(onSecond)
  useEffect(() => {
    let endsAt = performance.now() + secondsLeft * 1000
    let gap = Date.now() - performance.now()
    let before = secondsLeft
    let doubt: 'none' | 'open' | 'asking' = 'none'
    const ask = async () => {
      doubt = 'asking'
      const serverNow = await serverTime()
      if (serverNow !== null) endsAt = performance.now() + Date.parse(deadlineAt) - serverNow
      // After a sleep the network may be late: asked again at the next second.
      doubt = serverNow === null ? 'open' : 'none'
    }
    const tick = () => {
      const nowGap = Date.now() - performance.now()
      if (Math.abs(nowGap - gap) > doubtMs && doubt === 'none') doubt = 'open'
      if (doubt === 'open') void ask()
      gap = nowGap
      const now = Math.max(0, (endsAt - performance.now()) / 1000)
      if (now === 0) clearInterval(timer)
      tell(before, now)
      before = now
      setLeft(now)
    }
    const timer = setInterval(tick, 1000)
    return () => clearInterval(timer)
  }, [deadlineAt, secondsLeft])
  return left
}

/** @returns milliseconds since 1970 by the server's clock, to the second; null without a connection. */
async function serverTime(): Promise<number | null> {
  try {
    const { headers } = await fetch('/healthz', { method: 'HEAD', cache: 'no-store' })
    const serverTime = Date.parse(headers.get('date') ?? '')
    return Number.isNaN(serverTime) ? null : serverTime
  } catch {
    return null
  }
}

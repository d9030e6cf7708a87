import { useEffect, useEffectEvent, useState } from 'react'

/** Counts whole seconds down to 0 while it runs and the page is in front. */
export function useCountdown(seconds: number, { running, onEnd }: { running: boolean; onEnd(): void }): number {
  const [left, setLeft] = useState(seconds)
  const end = useEffectEvent(onEnd)
  useEffect(() => {
    if (!running) return
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') setLeft((before) => Math.max(0, before - 1))
    }, 1_000)
    return () => clearInterval(timer)
  }, [running])
  const over = left === 0
  useEffect(() => {
    if (over && running) end()
  }, [over, running])
  return left
}

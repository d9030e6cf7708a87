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

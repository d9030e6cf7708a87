import { useEffect } from 'react'

const told = 'time-zone-told'

/**
 * Tells the account the time zone of this browser, once a tab: days of learning count by the latest until the learner
 * chooses one.
 *
 * @param uid null for a visitor.
 */
export function TimeZoneSync({ uid }: { uid: string | null | undefined }) {
  useEffect(() => {
    if (!uid) return
    const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
    const mark = `${uid} ${timeZone}`
    if (!timeZone || readTold() === mark) return
    const body = new URLSearchParams({ timezone: timeZone })
    fetch('/TimeZone', { method: 'POST', body })
      .then(({ ok }) => ok && sessionStorage.setItem(told, mark))
      // Without a connection or storage the next page tells it.
      .catch(() => {})
  }, [uid])
  return null
}

function readTold(): string | null {
  try {
    return sessionStorage.getItem(told)
  } catch {
    return null
  }
}

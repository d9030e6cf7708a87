import { useEffect } from 'react'
import type { SessionUser } from '../session/session-user'

/** Tells the account the time zone of this browser: days of learning count by the latest until the learner chooses one. */
export function TimeZoneSync({ user }: { user: SessionUser | null | undefined }) {
  const uid = user?.uid
  const known = user?.timezone ? 'chosen' : user?.displayTimezone
  useEffect(() => {
    const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
    if (!uid || !timeZone || known === 'chosen' || known === timeZone) return
    // Without a connection, the next page reports it.
    fetch('/TimeZone', { method: 'POST', body: new URLSearchParams({ timezone: timeZone }) }).catch(() => {})
  }, [uid, known])
  return null
}

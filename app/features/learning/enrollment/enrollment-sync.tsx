import { useEffect } from 'react'

type EnrollmentSyncProps = {
  /** Undefined while the session is being determined, null for a visitor. */
  uid: string | null | undefined
  waiting: readonly string[] | undefined
  /** @returns whether the account has answered. */
  store(): Promise<boolean>
  onStored(): void
}

/**
 * Sends to the account what only this browser knows: a visitor's enrollments at sign-in, a learner's as they are made.
 * What could not be sent waits for the next page or connection.
 */
export function EnrollmentSync({ uid, waiting = [], store, onStored }: EnrollmentSyncProps) {
  const courses = waiting.join(' ')
  useEffect(() => {
    if (!uid || !courses) return
    const send = () => void store().then((stored) => stored && onStored())
    send()
    window.addEventListener('online', send)
    return () => window.removeEventListener('online', send)
  }, [uid, courses, store, onStored])
  return null
}

import { useEffect, useRef } from 'react'
import {
  afterAnswer,
  afterSession,
  changeBrowserEnrollments,
  readBrowserEnrollments,
  useBrowserEnrollments,
} from './browser-enrollments'

/** What the route `/Enrollments` answers to a script. */
export type EnrollmentAnswer = { courseIds: string[] }

export const enrollmentsAddress = '/Enrollments'

/**
 * Keeps what this browser knows and what the account stores together: a visitor's enrollments move to the account at
 * sign-in, a learner's are stored as they are made. What could not be sent waits for the next page or connection.
 *
 * @param uid undefined while the session is being determined, null for a visitor.
 * @param onStored the account has got new courses.
 */
export function EnrollmentSync({ uid, onStored }: { uid: string | null | undefined; onStored(): void }) {
  const known = useBrowserEnrollments()
  const waiting = known?.uid === uid ? known?.waiting : undefined
  const inFlight = useRef(false)

  useEffect(() => {
    if (uid !== undefined) changeBrowserEnrollments((before) => afterSession(before, uid))
  }, [uid])

  useEffect(() => {
    if (!uid || !waiting || waiting.length === 0) return
    const send = async () => {
      if (inFlight.current) return
      inFlight.current = true
      const courseIds = await askAccount({
        method: 'POST',
        body: new URLSearchParams(waiting.map((id) => ['courseIds', id])),
      })
      inFlight.current = false
      if (!courseIds) return
      changeBrowserEnrollments((before) => (before.uid === uid ? afterAnswer(before, courseIds, waiting) : before))
      onStored()
    }
    send()
    window.addEventListener('online', send)
    return () => window.removeEventListener('online', send)
  }, [uid, waiting, onStored])
  return null
}

/** Brings the account's courses into this browser, for a page that shows whether one is among them. */
export function useStoredEnrollments(uid: string | null | undefined): void {
  useEffect(() => {
    if (!uid) return
    const controller = new AbortController()
    const asked = readBrowserEnrollments()
    askAccount({ signal: controller.signal }).then((courseIds) => {
      // An enrollment that was made meanwhile brings its own, newer answer.
      const apply = courseIds !== null && asked.uid === uid && asked.waiting.length === 0
      if (apply) changeBrowserEnrollments((before) => (before === asked ? afterAnswer(before, courseIds, []) : before))
    })
    return () => controller.abort()
  }, [uid])
}

/** @returns the account's course ids, or null when it could not be asked. */
async function askAccount(init: RequestInit): Promise<string[] | null> {
  try {
    const response = await fetch(enrollmentsAddress, {
      ...init,
      redirect: 'error',
      headers: { Accept: 'application/json' },
    })
    if (!response.ok) return null
    const { courseIds }: EnrollmentAnswer = await response.json()
    return courseIds
  } catch {
    return null
  }
}

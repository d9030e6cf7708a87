import { useEffect } from 'react'
import type { ActionResult } from '~/ui/action-result'
import { fetchAnswer } from '~/ui/fetch-answer'
import { afterAnswer, type ChangeEnrollments } from './browser-enrollments'

export const enrollmentsAddress = '/Enrollments'

type EnrollmentSyncProps = {
  /** Undefined while the session is being determined, null for a visitor. */
  uid: string | null | undefined
  waiting: readonly string[] | undefined
  onChange: ChangeEnrollments
  /** The account has answered. */
  onSent(): void
}

/**
 * Sends to the account what only this browser knows: a visitor's enrollments at sign-in, a learner's as they are made.
 * What could not be sent waits for the next page or connection.
 */
export function EnrollmentSync({ uid, waiting = [], onChange, onSent }: EnrollmentSyncProps) {
  const courses = waiting.join(' ')
  useEffect(() => {
    if (!uid || !courses) return
    const sent = courses.split(' ')
    const send = async () => {
      const form = new URLSearchParams(sent.map((id) => ['courseIds', id]))
      const result = await fetchAnswer<ActionResult>(enrollmentsAddress, form)
      if (!result) return
      onChange((before) => afterAnswer(before, sent, result))
      onSent()
    }
    void send()
    window.addEventListener('online', send)
    return () => window.removeEventListener('online', send)
  }, [uid, courses, onChange, onSent])
  return null
}

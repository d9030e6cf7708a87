import { db } from '~/server/database/client.server'
import { reportError } from '~/server/log.server'
import { handInOverdueAttempts } from './exam/exam-attempt-queries.server'
import { courseWork, issueWaitingCertificates } from './finished-work.server'

const everyMs = 10_000

/**
 * Hands in attempts whose time is over, also of learners who never come back, and issues certificates whose learners have
 * confirmed their address since. @returns stops it.
 */
export function startDueWorkSweep(): () => Promise<void> {
  let running: Promise<unknown> = Promise.resolve()
  const sweep = () => {
    const now = new Date()
    running = handInOverdueAttempts(courseWork(db), now)
      .then(() => issueWaitingCertificates(db, now))
      .catch((error) => reportError(error, {}))
  }
  const timer = setInterval(sweep, everyMs)
  timer.unref()
  sweep()
  return async () => {
    clearInterval(timer)
    await running
  }
}

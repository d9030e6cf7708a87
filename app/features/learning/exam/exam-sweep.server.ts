import { db } from '~/server/database/client.server'
import { reportError } from '~/server/log.server'
import { handInOverdueAttempts } from './exam-attempt-queries.server'

const everyMs = 10_000

/** Hands in attempts whose time is over, also of learners who never come back. @returns stops it. */
export function startExamSweep(): () => Promise<void> {
  let running: Promise<unknown> = Promise.resolve()
  const sweep = () => {
    running = handInOverdueAttempts(db, new Date()).catch((error) => reportError(error, {}))
  }
  const timer = setInterval(sweep, everyMs)
  timer.unref()
  sweep()
  return async () => {
    clearInterval(timer)
    await running
  }
}

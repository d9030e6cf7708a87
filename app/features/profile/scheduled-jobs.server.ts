import { endReducedPrices } from '~/features/catalog/end-reduced-prices.server'
import {
  completeCoursesWithoutReport,
  issueWaitingCertificates,
  learningContext,
} from '~/features/certificates/finished-work.server'
import { submitOverdueAttempts } from '~/features/exams/attempt/attempt-queries.server'
import { type Database, db } from '~/server/database/client.server'
import { databaseTime } from '~/server/database/database-time.server'
import { contentState } from '~/server/database/schema'
import { backgroundWork } from '~/server/operations/background-work.server'
import { forEachSettled } from '~/server/operations/for-each-settled.server'
import { sendDueReminders } from './study-plan/reminder-queries.server'

/** How long a page may have to wait for work that no request does; pages only read. */
const everyMs = 2_000

/**
 * Does what is due without being asked for: attempts whose time is over are handed in, certificates
 * whose learners have confirmed their address since are issued, after a change of the content
 * courses without open lessons are completed, and reminders to study are sent, and prices whose
 * reduction is over go up again.
 *
 * @returns stops it, after the sweep under way.
 */
export function startScheduledJobs(): () => Promise<void> {
  const doDueWork = dueWork(db)
  return backgroundWork.add({
    name: 'due work',
    everyMs,
    run: async (mayGoOn) => doDueWork(await databaseTime(db), mayGoOn),
  })
}

/** @returns does what is due by then. */
export function dueWork(db: Database): (now: Date, mayGoOn?: () => boolean) => Promise<void> {
  let seenContent: string | undefined
  return async (now, mayGoOn = () => true) => {
    const completeCourses = async () => {
      const [content] = await db.select().from(contentState)
      if (content?.hash === seenContent) {
        return
      }

      await completeCoursesWithoutReport(db, now)
      seenContent = content?.hash
    }

    await forEachSettled(
      [
        () => submitOverdueAttempts(learningContext(db), now),
        () => issueWaitingCertificates(db, now),
        completeCourses,
        () => sendDueReminders(db, now),
        () => endReducedPrices(db, now),
      ],
      async (part: () => Promise<unknown>) => mayGoOn() && part(),
    )
  }
}

import { endReducedPrices } from '~/features/catalog/end-reduced-prices.server'
import {
  completeCoursesWithoutReports,
  issueWaitingCertificates,
  learningContext,
} from '~/features/certificates/rewards.server'
import { submitOverdueAttempts } from '~/features/exams/attempt/attempt-queries.server'
import { queueDueReminders } from '~/features/profile/study-plan/reminder-queue.server'
import { type Database, db } from '~/server/database/client.server'
import { databaseTime } from '~/server/database/database-time.server'
import { contentState } from '~/server/database/schema'
import { backgroundWork } from '~/server/operations/background-work.server'
import { forEachSettled } from '~/server/operations/for-each-settled.server'

/** Pages only read the results of the jobs, so they may show outdated data until the next run. */
const runIntervalMs = 2_000

/**
 * Starts the jobs that no request triggers:
 * - submit exam attempts whose time has run out;
 * - issue certificates of learners who have confirmed their email address or given their name
 *   since;
 * - complete courses that lost their last open lesson when the content changed;
 * - send study reminders;
 * - end reduced prices.
 *
 * @returns a function that stops the jobs after the current run
 */
export function startScheduledJobs(): () => Promise<void> {
  const runJobs = createJobRunner(db)
  return backgroundWork.schedule({
    name: 'due work',
    intervalMs: runIntervalMs,
    run: async (mayContinue) => runJobs(await databaseTime(db), mayContinue),
  })
}

/** @returns a function that runs all jobs once. An error of one job does not stop the others. */
export function createJobRunner(
  db: Database,
): (now: Date, mayContinue?: () => boolean) => Promise<void> {
  let checkedContentHash: string | undefined

  return async (now, mayContinue = () => true) => {
    const completeCoursesIfContentChanged = async () => {
      const [content] = await db.select().from(contentState)
      if (content?.hash === checkedContentHash) {
        return
      }

      await completeCoursesWithoutReports(db, now)
      checkedContentHash = content?.hash
    }

    const jobs: (() => Promise<unknown>)[] = [
      () => submitOverdueAttempts(learningContext(db), now),
      () => issueWaitingCertificates(db, now),
      completeCoursesIfContentChanged,
      () => queueDueReminders(db, now),
      () => endReducedPrices(db, now),
    ]

    await forEachSettled(jobs, async (runJob) => {
      if (mayContinue()) {
        await runJob()
      }
    })
  }
}

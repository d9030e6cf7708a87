/** Measures how long learners wait from the payment to the lesson while all events are lost. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from 'pg'
import { connectDatabase } from '../tests/support/product.ts'
import { addResult, percentile } from './figures.ts'
import { addSignedInLearners, courseId, type Learner, videoLessonId } from './learners.ts'
import {
  openPaymentPage,
  openReturnPage,
  openSchool,
  pressPaymentButton,
  type School,
} from './order-school.ts'
import { waitUntil } from './visitors.ts'

/** The pause between two learners who pay. */
const paymentIntervalMs = 600
const returningCount = 150
const closedTabCount = 150
const undecidedCount = 300

/**
 * Measures two groups of learners: some return to the page after paying, and others close the tab.
 * Undecided learners leave their payment page open meanwhile.
 */
export async function measureTimeToLesson(): Promise<void> {
  const loseEvent = async () => {}
  const school = await openSchool(loseEvent)

  try {
    const { folder, product } = school
    const database = await connectDatabase({ folder })
    const { learners } = await addSignedInLearners(database, {
      count: undecidedCount + closedTabCount + returningCount,
      folder,
      publicUrl: product.url,
    })
    await database.query('delete from enrollments')

    for (const learner of learners.splice(0, undecidedCount)) {
      await openPaymentPage(school, learner)
    }

    const closedTabLearners = learners.splice(0, closedTabCount)
    const [closedTabTimes, returningTimes] = await Promise.all([
      measureClosedTabs(school, database, closedTabLearners),
      measureReturning(school, learners),
    ])
    await database.end()

    addTimesResult('by the page after paying', returningTimes, {
      maxSeconds: 2,
      count: returningCount,
    })
    addTimesResult('with the tab closed', closedTabTimes, { maxSeconds: 60, count: closedTabCount })
  } finally {
    await school.close()
  }
}

/** Returns the milliseconds of each learner who could open the lesson right after paying. */
async function measureReturning(school: School, learners: readonly Learner[]): Promise<number[]> {
  const { workload } = school

  const times = learners.map(async (learner, index) => {
    await pause((index + 0.5) * paymentIntervalMs)
    const pageUrl = await openPaymentPage(school, learner)

    const startedAt = performance.now()
    const returnUrl = await pressPaymentButton(pageUrl, 'pay')
    await openReturnPage(school, learner, returnUrl)
    const lesson = await workload.request('lesson', `/Learn/${courseId}/${videoLessonId}`, {
      cookie: learner.cookie,
    })

    return lesson.status === 200 ? [performance.now() - startedAt] : []
  })

  return (await Promise.all(times)).flat()
}

/** Returns the milliseconds from each payment until the learner is enrolled. */
async function measureClosedTabs(
  school: School,
  database: Client,
  learners: readonly Learner[],
): Promise<number[]> {
  const paidAtByUid = new Map<string, number>()
  let isEveryonePaid = false

  const payments = Promise.all(
    learners.map(async (learner, index) => {
      await pause(index * paymentIntervalMs)
      const pageUrl = await openPaymentPage(school, learner)
      await pressPaymentButton(pageUrl, 'pay')
      paidAtByUid.set(learner.uid, performance.now())
    }),
  ).then(() => {
    isEveryonePaid = true
  })
  // The await below reports the error. Until then, it must not count as unhandled.
  payments.catch(() => {})

  const times: number[] = []
  await waitUntil('lessons', 600, async () => {
    const { rows } = await database.query<{ uid: string }>('select uid from enrollments')
    for (const { uid } of rows) {
      const paidAt = paidAtByUid.get(uid)
      if (paidAt !== undefined) {
        times.push(performance.now() - paidAt)
        paidAtByUid.delete(uid)
      }
    }

    return isEveryonePaid && paidAtByUid.size === 0
  })
  await payments

  return times
}

function addTimesResult(
  label: string,
  times: readonly number[],
  { maxSeconds, count }: { maxSeconds: number; count: number },
): void {
  const p99 = percentile([...times], 0.99) / 1000
  addResult({
    figure: `all events lost: paid to lesson, ${label}`,
    value: `p99 ${p99.toFixed(1)} s of ${times.length}`,
    goal: `p99 ${maxSeconds} s`,
    isMet: p99 <= maxSeconds && times.length === count,
  })
}

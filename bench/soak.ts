/**
 * `node bench/soak.ts [MINUTES]`: 300 learners do everything that learners do, at their own pace,
 * for half an hour. Each minute prints a row.
 *
 * Ends with status 1 in one of these cases:
 * - A response was an error. A 503 counts as one.
 * - Memory at the end is more than 1.2 times the memory at the end of the first third.
 * - The p99 of the last third is more than 1.5 times the p99 of the first third.
 * - An acknowledged change is not stored exactly once.
 */
import { randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { connectDatabase, startProduct } from '../tests/support/product.ts'
import { exitWithProblems, percentile, residentMemory } from './figures.ts'
import { addSignedInLearners, allowExam, courseId, type Learner } from './learners.ts'
import { createActivities, pickOne } from './soak-activities.ts'
import { type ResponseTimes, Workload } from './workload.ts'

const minutes = Number(process.argv[2] ?? 30)
const learnerCount = 300
/** Some learners only watch, and some only take exams. The others do everything else. */
const watchingCount = 120
const takingCount = 30
/** The pause between two activities of a learner, on average. */
const averagePauseMs = 8_000
const maxMemoryGrowth = 1.2
const maxSlowdown = 1.5

/** The kinds of requests that a visitor sends, too. */
const publicKinds = ['page', 'suggestions', 'certificate']

type MinuteFigures = { times: ResponseTimes; residentMb: number }

const product = await startProduct({ onLine: console.log })
const database = await connectDatabase({ folder: product.folder })
const workload = new Workload(product.url)
const minuteFigures: MinuteFigures[] = []
const problems: string[] = []

try {
  await runWorkload()
  checkGoals()
  problems.push(...(await workload.ledger.listProblems(database)))
  console.log(`${workload.ledger.countAcknowledged()} acknowledged facts looked for`)
} finally {
  await database.end()
  await product.stop()
}

exitWithProblems(problems)

/** Lets the learners work for the given minutes, and prints the figures of each minute. */
async function runWorkload(): Promise<void> {
  const { learners, signVisit } = await addSignedInLearners(database, {
    count: learnerCount,
    folder: product.folder,
    publicUrl: product.url,
  })
  const watching = learners.slice(0, watchingCount)
  const taking = learners.slice(watchingCount, watchingCount + takingCount)
  const others = learners.slice(watchingCount + takingCount)

  for (const { uid } of learners) {
    workload.ledger.recordSent('enrollment', `${uid} ${courseId}`).acknowledge()
  }

  // Only learners who have finished the course may review it.
  await allowExam(database, [...taking, ...others])
  const activities = await createActivities({ workload, database, signVisit })

  workload.start({
    watching,
    taking,
    readers: 20,
    newcomers: 2,
    signVisit,
    everyMs: averagePauseMs,
  })
  const end = performance.now() + minutes * 60_000
  const learnerWork = Promise.all(
    others.map((learner) => simulateLearner(learner, activities, end)),
  )

  console.log(
    '| minute | requests | errors | public p50 / p99 (ms) | learners p50 / p99 (ms) | memory (MB) |\n|---|---|---|---|---|---|',
  )
  for (let minute = 1; minute <= minutes; minute++) {
    await pause(60_000)
    recordMinute(minute)
  }

  await Promise.all([learnerWork, workload.stop()])
}

type LearnerActivity = Awaited<ReturnType<typeof createActivities>>[number]

/**
 * One learner does one random activity after the other. Activities of more weight are more likely.
 */
async function simulateLearner(
  learner: Learner,
  activities: readonly LearnerActivity[],
  end: number,
): Promise<void> {
  const weightedActivities = activities.flatMap((activity) =>
    Array<LearnerActivity>(activity.weight).fill(activity),
  )

  await pause(randomInt(averagePauseMs))
  while (performance.now() < end) {
    const activity = pickOne(weightedActivities)
    await activity.run(learner).catch((error) => problems.push(String(error)))
    await pause(averagePauseMs * (0.5 + Math.random()))
  }
}

/** Prints the figures of the last minute, and keeps them for the goals. */
function recordMinute(minute: number): void {
  const { times } = workload.readAndResetFigures()
  const figures = { times, residentMb: residentMemory(product.pid).now }
  minuteFigures.push(figures)

  const errors = workload.failures.splice(0)
  problems.push(...errors)

  const requestCount = Object.values(times).flat().length
  const cells = [
    minute,
    requestCount,
    errors.length,
    formatTimes(listTimes([figures], { isPublic: true })),
    formatTimes(listTimes([figures], { isPublic: false })),
    figures.residentMb.toFixed(0),
  ]
  console.log(`| ${cells.join(' | ')} |`)
}

function formatTimes(times: number[]): string {
  return `${percentile(times, 0.5).toFixed(1)} / ${percentile(times, 0.99).toFixed(0)}`
}

/** Lists the times of public requests, or those of requests by learners. */
function listTimes(
  figures: readonly MinuteFigures[],
  { isPublic }: { isPublic: boolean },
): number[] {
  const timesByKind = figures.flatMap(({ times }) => Object.entries(times))
  return timesByKind.flatMap(([kind, times]) =>
    publicKinds.includes(kind) === isPublic ? times : [],
  )
}

/**
 * Compares the first third with the last one. The first minute, in which learners arrive, is left
 * out.
 */
function checkGoals(): void {
  const minutesOfThird = Math.max(1, Math.floor((minutes - 1) / 3))
  const firstThird = minuteFigures.slice(1, 1 + minutesOfThird)
  const lastThird = minuteFigures.slice(-minutesOfThird)

  checkGrowth('memory (MB)', {
    before: firstThird.at(-1)?.residentMb ?? 0,
    after: lastThird.at(-1)?.residentMb ?? 0,
    maxGrowth: maxMemoryGrowth,
  })

  for (const isPublic of [true, false]) {
    checkGrowth(`p99 of ${isPublic ? 'public pages' : 'learners'} (ms)`, {
      before: percentile(listTimes(firstThird, { isPublic }), 0.99),
      after: percentile(listTimes(lastThird, { isPublic }), 0.99),
      maxGrowth: maxSlowdown,
    })
  }
}

function checkGrowth(
  name: string,
  { before, after, maxGrowth }: { before: number; after: number; maxGrowth: number },
): void {
  const growth = (after / before).toFixed(2)
  console.log(
    `${name}: ${before.toFixed(0)} → ${after.toFixed(0)}, ${growth} times (at most ${maxGrowth})`,
  )
  if (after > before * maxGrowth) {
    problems.push(`${name} grew`)
  }
}

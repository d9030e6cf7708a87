/**
 * `node bench/kills.ts [progress | exams] [KILLS]`: 50 learners report what they watch, then ten
 * take exams, all at once, while the product is killed (SIGKILL) 20 times at random moments, every
 * second time together with its database, and started again. Then every acknowledged change has to
 * be stored exactly once, and nothing else. Ends with status 1 otherwise.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { connectDatabase, type Product, startProduct } from '../tests/support/product.ts'
import { addResult } from './figures.ts'
import { killProduct } from './kill-product.ts'
import { addSignedInLearners, allowExam } from './learners.ts'
import { waitUntil } from './visitors.ts'
import { Workload } from './workload.ts'

/**
 * An activity has a number of learners, kinds of facts that have to be stored afterwards ('film' is
 * a watched part of a video), and a limit of the responses between two kills.
 */
const activities = {
  progress: { learnerCount: 50, facts: ['film', 'finished lesson'], maxResponses: 200 },
  exams: { learnerCount: 10, facts: ['exam answer', 'exam result'], maxResponses: 300 },
} as const
type Activity = keyof typeof activities
const allActivities = Object.keys(activities) as Activity[]

const args = process.argv.slice(2)
const killCount = Number(args.find((arg) => Number(arg) > 0) ?? 20)
const chosenActivities = allActivities.filter((activity) => args.includes(activity))
for (const activity of chosenActivities.length > 0 ? chosenActivities : allActivities) {
  await testKills(activity)
}

async function testKills(activity: Activity): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'learnify-kills-'))
  let product = await startProduct({ folder })
  const workload = new Workload(product.url)
  try {
    await startWorkload(workload, activity, product)

    for (let kill = 1; kill <= killCount; kill++) {
      await waitForResponses(workload, activity)
      process.stdout.write(
        `\rkilled ${kill} of ${killCount} times${kill === killCount ? '\n' : ''}`,
      )
      product = await killAndRestart(product, { shouldKillDatabase: kill % 2 === 0 })
    }

    await pause(2_000)
    await workload.stop()
    await addKillResult(workload, activity, folder)
  } finally {
    await workload.stop().catch(() => {})
    await product.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Adds learners, who start to watch videos or to take exams. */
async function startWorkload(
  workload: Workload,
  activity: Activity,
  { folder, url }: Product,
): Promise<void> {
  const database = await connectDatabase({ folder })
  const { learners, signVisit } = await addSignedInLearners(database, {
    count: activities[activity].learnerCount,
    folder,
    publicUrl: url,
  })
  if (activity === 'exams') {
    await allowExam(database, learners)
  }

  await database.end()

  workload.start({
    watching: activity === 'progress' ? learners : [],
    taking: activity === 'exams' ? learners : [],
    signVisit,
    everyMs: 0,
  })
}

/**
 * Waits for a random number of responses, so that a slow machine has done as much as a fast one.
 */
async function waitForResponses(workload: Workload, activity: Activity): Promise<void> {
  const { maxResponses } = activities[activity]
  const responsesBeforeKill = workload.responseCount + 1 + Math.floor(Math.random() * maxResponses)
  await waitUntil('answers', 120, () => workload.responseCount >= responsesBeforeKill)
  await pause(Math.random() * 50)
}

/** Kills the product and starts it again on the same port. */
async function killAndRestart(
  product: Product,
  { shouldKillDatabase }: { shouldKillDatabase: boolean },
): Promise<Product> {
  const { folder, url } = product
  const port = Number(new URL(url).port)
  return killProduct(product, { shouldKillDatabase, start: () => startProduct({ folder, port }) })
}

/** Compares the acknowledged changes with the database, and prints the problems. */
async function addKillResult(
  workload: Workload,
  activity: Activity,
  folder: string,
): Promise<void> {
  const { ledger, failures } = workload
  const database = await connectDatabase({ folder })
  const ledgerProblems = await ledger.listProblems(database)
  await database.end()

  // A kill may cause any other failure. A client error means that a valid request was refused.
  const refusedRequests = failures.filter((failure) => / 4\d\d /.test(failure))
  const problems = [...ledgerProblems, ...refusedRequests]
  for (const problem of problems.slice(0, 20)) {
    console.log(`PROBLEM: ${problem}`)
  }

  const { facts } = activities[activity]
  const counts = facts.map((fact) => `${ledger.countAcknowledged(fact)} × ${fact}`)
  addResult({
    figure: `${activity}: acknowledged in ${killCount} kills`,
    value: `${counts.join(', ')}; ${problems.length} problems`,
    goal: 'none lost, none doubled',
    isMet: problems.length === 0 && facts.every((fact) => ledger.countAcknowledged(fact) > 0),
  })
}

/**
 * `node bench/orders.ts [ORDERS] [KILLS]`: 50 learners buy 2,000 courses, also with coupons and as
 * gifts, and get money back for some of them. Meanwhile the imitation of Stripe loses, doubles and
 * reorders events, and the product is killed (SIGKILL) 20 times, every second time together with
 * its database. Within two minutes after that, payments, orders, access, receipts, emails and sums
 * have to agree.
 *
 * Then it measures the time from the payment to the lesson while all events are lost. It ends with
 * status 1 if anything disagrees or takes too long.
 */
import { execFile } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Client } from 'pg'
import {
  connectDatabase,
  createProductEnvironment,
  readPackageScript,
} from '../tests/support/product.ts'
import { addResult } from './figures.ts'
import { killProduct } from './kill-product.ts'
import { formatOrderCounts, listProblems } from './order-books.ts'
import {
  deliverUnreliably,
  prepareSale,
  type Sale,
  settleLaterPayments,
  simulateLearners,
} from './order-sale.ts'
import { openSchool, type School } from './order-school.ts'
import { measureTimeToLesson } from './order-times.ts'
import { waitUntil } from './visitors.ts'

const [orderCount = 2_000, killCount = 20] = process.argv.slice(2).map(Number)
/** The longest time after the sale until everything has to agree. */
const settleSeconds = 120

if (orderCount > 0) {
  await testKills()
}

await measureTimeToLesson()

/** Sells courses while the product is killed, and checks that everything agrees afterwards. */
async function testKills(): Promise<void> {
  const school = await openSchool(deliverUnreliably)
  const { folder, workload } = school
  let hasProblems = true

  try {
    const sale = await prepareSale(school, { orderCount })
    await runSale(school, sale)

    const database = await connectDatabase({ folder })
    const { seconds, problems } = await waitUntilBooksAgree(school, database)
    const refusedRequests = workload.failures.filter((failure) => / 4\d\d /.test(failure))
    const allProblems = [...problems, ...(await checkByCommand(school)), ...refusedRequests]
    for (const problem of allProblems.slice(0, 20)) {
      console.log(`PROBLEM: ${problem}`)
    }

    const counts = await formatOrderCounts(database)
    await database.end()
    hasProblems = allProblems.length > 0
    addResult({
      figure: `orders in ${killCount} kills, events lost, doubled and reordered`,
      value: `${counts}; agreed after ${seconds.toFixed(0)} s; ${allProblems.length} problems`,
      goal: `paid = access = one receipt = one mail, within ${settleSeconds} s`,
      isMet: !hasProblems,
    })
  } finally {
    await school.close({ keepsFolder: hasProblems })
  }
}

/** Lets all learners buy their courses while the product is killed again and again. */
async function runSale(school: School, sale: Sale): Promise<void> {
  const shopping = simulateLearners(school, sale)
  // The await below reports the error. Until then, it must not count as unhandled.
  shopping.catch(() => {})

  await killRepeatedly(school, sale)
  await shopping

  await settleLaterPayments(school, sale)
}

async function killRepeatedly(school: School, sale: Sale): Promise<void> {
  for (let kill = 1; kill <= killCount; kill++) {
    const ordersBeforeKill = ((kill - 0.5) / killCount) * sale.totalOrders
    await waitUntil('orders', 600, () => sale.finishedOrders >= ordersBeforeKill)

    school.product = await killProduct(school.product, {
      shouldKillDatabase: kill % 2 === 0,
      start: school.start,
    })
    process.stdout.write(`\rkilled ${kill} of ${killCount} times${kill === killCount ? '\n' : ''}`)
  }
}

/** Waits until the books agree, at most for the time that is allowed. */
async function waitUntilBooksAgree(school: School, database: Client) {
  const startedAt = performance.now()
  const getSeconds = () => (performance.now() - startedAt) / 1000

  let problems = await listProblems(school, database)
  while (problems.length > 0 && getSeconds() < settleSeconds) {
    console.log(`after ${Math.round(getSeconds())} s: ${problems.join('; ')}`)
    await pause(10_000)
    problems = await listProblems(school, database)
  }

  return { seconds: getSeconds(), problems }
}

/** Runs `orders check --provider`. Returns a line for each problem that the command finds. */
async function checkByCommand({ folder, payments, product }: School): Promise<string[]> {
  const command = `${readPackageScript('admin')} orders check --provider`
  const { stdout } = await promisify(execFile)('sh', ['-c', command], {
    env: {
      ...createProductEnvironment(),
      DATA_DIR: folder,
      PUBLIC_URL: product.url,
      ...payments.variables,
    },
  })
  return stdout.includes('agree') ? [] : stdout.trim().split('\n')
}

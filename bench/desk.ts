/**
 * `node bench/desk.ts [DATA_DIR]`: measures the desk of a school with 100,000 learners, 1,000,000
 * enrollments and 10,000,000 rows of progress.
 *
 * - Every page with random subjects, searches, filters and cursors, while learners work.
 * - Counting all figures meanwhile, and the downloads.
 * - Every number on the desk after 10,000 random actions.
 *
 * Filling the database takes five minutes, so a DATA_DIR with the database of an earlier run is
 * used as it is.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { connectDatabase, startProduct } from '../tests/support/product.ts'
import { createDeskPaths } from './desk-paths.ts'
import { addResult, percentile, residentMemory } from './figures.ts'
import { fillCatalog } from './fill-catalog.ts'
import { fillSchool } from './fill-school.ts'
import { addSignedInLearners, type Learner, type SignVisit } from './learners.ts'
import { waitUntil } from './visitors.ts'
import { Workload } from './workload.ts'

const schoolSize = { learners: 100_000, courses: 1_023 }
const goals = {
  p50Ms: 100,
  p99Ms: 400,
  /** The highest p99 of learners beside the desk, relative to the p99 of learners alone. */
  slowdown: 1.1,
  countSeconds: 60,
  downloadMegabytes: 60,
}

/** In each round, learners work alone, beside the desk at work, and beside a desk in a hurry. */
const roundCount = 6
const secondsPerPace = 30
/** The round in which all figures of the desk are counted anew while the desk is at work. */
const countingRound = 2

const staffCount = 2
/** The pause between two pages of a member of staff. The hurry gives more measurements of pages. */
const staffPauseMs = { alone: null, 'at work': 2_000, 'in a hurry': 150 }
type Pace = keyof typeof staffPauseMs
const paces = Object.keys(staffPauseMs) as Pace[]

const actionCount = 10_000
const workloadOptions = { readers: 10, everyMs: 1_000 }
const watchingCount = 40

type PageRequest = { path: string; ms: number }

const folder = process.argv[2] ?? mkdtempSync(path.join(tmpdir(), 'learnify-desk-'))
const isFilled = existsSync(path.join(folder, 'database'))
const product = await startProduct({ folder })
const database = await connectDatabase({ folder })
const requestsByPage = new Map<string, PageRequest[]>()

try {
  await fillDatabase()

  const { learners, signVisit } = await addSignedInLearners(database, {
    count: staffCount + watchingCount,
    folder,
    publicUrl: product.url,
  })
  const staff = learners.slice(0, staffCount)
  for (const { uid } of staff) {
    await database.query(`insert into staff (uid, role) values ($1, 'owner')`, [uid])
  }

  await addAnnouncements()
  await measurePages(staff, learners.slice(staffCount), signVisit)

  const ownerCookie = staff[0]?.cookie ?? ''
  await measureDownload(ownerCookie, { table: 'people' })
  await measureDownload(ownerCookie, { table: 'progress', course: 'sample-0000001' })
} finally {
  await database.end()
  await product.stop()
  if (!process.argv[2]) {
    rmSync(folder, { recursive: true, force: true })
  }
}

testEveryNumber()

/** Fills a new database. Removes what an earlier run has added to a filled one. */
async function fillDatabase(): Promise<void> {
  if (!isFilled) {
    await fillCatalog(folder, schoolSize.courses)
    await fillSchool(database, schoolSize)
  }

  await database.query(`delete from users where id like 'bench-%'`)
  await database.query('delete from imports')
  await database.query(
    `insert into imports (id, by, file_name, state, emails_per_minute)
     values ('bench-import', 'bench-0', 'x.csv', 'done', 60)`,
  )
}

/** Adds an announcement that was sent to everybody, and a draft. */
async function addAnnouncements(): Promise<void> {
  await database.query(
    `insert into announcements (id, audience, subject, body, state)
     values
       ('bench-sent', 'all', 'News', 'Hello', 'done'),
       ('bench-draft', 'all', 'News', 'Hello', 'draft')
     on conflict do nothing`,
  )
  await database.query(
    `insert into announcement_mails (uid, announcement_id, state, at)
     select id, 'bench-sent', case when random() < 0.99 then 'sent' else 'failed' end, now()
     from users
     on conflict do nothing`,
  )
}

/** Measures the pages of the desk, and how much they slow down the learners. */
async function measurePages(
  staff: readonly Learner[],
  watching: Learner[],
  signVisit: SignVisit,
): Promise<void> {
  const pathGenerators = createDeskPaths({
    learnerCount: schoolSize.learners,
    orderIds: await listIds('select id from orders order by id limit 1000'),
    couponCodes: await listIds('select code as id from coupons order by code limit 1000'),
  })
  const learnerTimes: Record<Pace, number[]> = { alone: [], 'at work': [], 'in a hurry': [] }

  for (let round = 0; round < roundCount; round++) {
    for (const pace of paces) {
      const workload = new Workload(product.url)
      workload.start({ ...workloadOptions, watching, signVisit })

      const end = performance.now() + secondsPerPace * 1000
      const isOver = () => performance.now() >= end
      const isCounting = round === countingRound && pace === 'at work'
      await Promise.all([
        pause(secondsPerPace * 1000),
        isCounting ? measureCount() : undefined,
        ...staff.map(({ cookie }) =>
          workAtDesk(cookie, { pathGenerators, pauseMs: staffPauseMs[pace], isOver }),
        ),
      ])

      await workload.stop()
      const [failure] = workload.failures
      if (failure !== undefined) {
        throw new Error(failure)
      }

      const { times } = workload.readAndResetFigures()
      learnerTimes[pace].push(...Object.values(times).flat())
    }
  }

  for (const [pageName, requests] of requestsByPage) {
    addPageResult(pageName, requests)
  }

  addLearnerResults(learnerTimes)
}

async function listIds(query: string): Promise<string[]> {
  const { rows } = await database.query<{ id: string }>(query)
  return rows.map(({ id }) => id)
}

type DeskWork = {
  pathGenerators: Record<string, () => string>
  /** The pause between two pages, or null if the staff does not work. */
  pauseMs: number | null
  isOver: () => boolean
}

/** Visits all pages of the desk, again and again, as a member of staff. */
async function workAtDesk(
  cookie: string,
  { pathGenerators, pauseMs, isOver }: DeskWork,
): Promise<void> {
  if (pauseMs === null) {
    return
  }

  while (!isOver()) {
    for (const [pageName, createPath] of Object.entries(pathGenerators)) {
      const pagePath = createPath()
      const sentAt = performance.now()
      const response = await fetch(product.url + pagePath, {
        headers: { Cookie: cookie },
        redirect: 'manual',
      })
      await response.text()
      if (response.status !== 200) {
        throw new Error(`${pagePath}: ${response.status}`)
      }

      const requests = requestsByPage.get(pageName) ?? []
      requestsByPage.set(pageName, requests)
      requests.push({ path: pagePath, ms: performance.now() - sentAt })
      await pause(pauseMs)
    }
  }
}

/** Waits until the background work has counted all figures, while learners and staff work. */
async function measureCount(): Promise<void> {
  await database.query('delete from desk_figures')
  await waitUntil('figures', 600, async () => (await readSecondsSinceCount()) !== null)

  const seconds = (await readSecondsSinceCount()) ?? Number.POSITIVE_INFINITY
  addResult({
    figure: 'figures counted anew',
    value: `${seconds.toFixed(0)} s`,
    goal: `${goals.countSeconds} s`,
    isMet: seconds <= goals.countSeconds,
  })
}

/** Returns how long ago the count of the figures started, or null if they are not counted. */
async function readSecondsSinceCount(): Promise<number | null> {
  const { rows } = await database.query<{ seconds: number }>(
    'select extract(epoch from now() - counted_at)::float8 as seconds from desk_figures',
  )
  return rows[0]?.seconds ?? null
}

/** Adds the result of a page, and prints its slowest requests. */
function addPageResult(pageName: string, requests: readonly PageRequest[]): void {
  const times = requests.map(({ ms }) => ms)
  const p50Ms = percentile(times, 0.5)
  const p99Ms = percentile(times, 0.99)
  addResult({
    figure: `desk: ${pageName}`,
    value: `p50 ${p50Ms.toFixed(0)} ms, p99 ${p99Ms.toFixed(0)} ms of ${requests.length}`,
    goal: `p50 ${goals.p50Ms} ms, p99 ${goals.p99Ms} ms`,
    isMet: p50Ms <= goals.p50Ms && p99Ms <= goals.p99Ms,
  })

  const slowestRequests = requests.toSorted((a, b) => b.ms - a.ms).slice(0, 3)
  for (const { path: pagePath, ms } of slowestRequests) {
    console.log(`  ${ms.toFixed(0).padStart(6)} ms  ${pagePath}`)
  }
}

/** Compares the times of learners beside the desk with those of learners alone. */
function addLearnerResults(learnerTimes: Record<Pace, number[]>): void {
  const aloneMs = percentile(learnerTimes.alone, 0.99)

  for (const pace of ['at work', 'in a hurry'] as const) {
    const besideMs = percentile(learnerTimes[pace], 0.99)
    const hasGoal = pace === 'at work'
    addResult({
      figure: `learners beside the desk ${pace}`,
      value: `p99 ${besideMs.toFixed(1)} ms, alone ${aloneMs.toFixed(1)} ms`,
      goal: hasGoal ? `${goals.slowdown} of alone` : 'none',
      isMet: !hasGoal || besideMs <= aloneMs * goals.slowdown,
      ratio: (besideMs / aloneMs).toFixed(2),
    })
  }
}

/** Downloads a table as CSV, and watches the memory of the product meanwhile. */
async function measureDownload(
  cookie: string,
  fields: { table: string; course?: string },
): Promise<void> {
  // A download needs a sign-in of the last 15 minutes.
  await database.query(`update sessions set confirmed_at = now() where user_id like 'bench-%'`)

  const memoryBefore = residentMemory(product.pid).now
  const startedAt = performance.now()
  const response = await fetch(`${product.url}/Desk/Export`, {
    method: 'POST',
    headers: { Cookie: cookie, Origin: product.url },
    body: new URLSearchParams(fields),
  })

  let lineCount = 0
  let highestMemory = memoryBefore
  for await (const chunk of response.body ?? []) {
    lineCount += Buffer.from(chunk).toString('latin1').split('\n').length - 1
    highestMemory = Math.max(highestMemory, residentMemory(product.pid).now)
  }

  const seconds = (performance.now() - startedAt) / 1000
  const addedMemory = highestMemory - memoryBefore
  addResult({
    figure: `download of ${fields.table}`,
    value: `${lineCount - 1} rows in ${seconds.toFixed(0)} s, memory + ${Math.round(addedMemory)} MB`,
    goal: `${schoolSize.learners} rows, + ${goals.downloadMegabytes} MB`,
    isMet: lineCount > schoolSize.learners && addedMemory <= goals.downloadMegabytes,
  })
}

/** Runs the test that compares every number of the desk, in its own database, with more actions. */
function testEveryNumber(): void {
  const test = 'app/features/desk/every-number.server.test.ts'
  const { status } = spawnSync('npx', ['vitest', 'run', test], {
    cwd: path.resolve(import.meta.dirname, '..'),
    env: { ...process.env, DESK_ACTS: String(actionCount) },
    stdio: ['ignore', 'ignore', 'inherit'],
  })

  const isEqual = status === 0
  addResult({
    figure: `every number after ${actionCount} random acts`,
    value: isEqual ? 'equal' : 'not equal',
    goal: 'counting the facts',
    isMet: isEqual,
  })
}

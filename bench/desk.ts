/**
 * `node bench/desk.ts [DATA_DIR]`: measures the desk of a school with 100,000 learners, 1,000,000
 * enrollments and 10,000,000 rows of progress.
 *
 * - Every page with random subjects, searches, filters and cursors, while learners work.
 * - Counting all figures meanwhile, and the downloads.
 * - Every number on the desk after 10,000 random acts.
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
import { addResult, percentile, residentMemory } from './figures.ts'
import { fillCatalog } from './fill-catalog.ts'
import { fillSchool } from './fill-school.ts'
import { addSignedInLearners } from './learners.ts'
import { waitUntil } from './visitors.ts'
import { Workload } from './workload.ts'

const size = { learners: 100_000, courses: 1_023 }
const goal = { p50: 100, p99: 400, slowdown: 1.1, megabytes: 60 }
/** Learners work alone, beside the desk at work, and beside a desk in a hurry, in turn. */
const [roundCount, roundSeconds] = [6, 30]
const staffCount = 2
/** The pause between two pages of a member of staff. The hurry gives more figures of pages. */
const staffPauseMs = { alone: null, 'at work': 2_000, 'in a hurry': 150 }
type Pace = keyof typeof staffPauseMs
const auditEntryCount = 10_000
const workloadOptions = { watching: 40, readers: 10, everyMs: 1_000 }

const pickOne = <Item>(list: readonly Item[]) =>
  list[Math.floor(Math.random() * list.length)] as Item
const pickLowNumber = (below: number) => Math.floor(below * Math.random() ** 2) + 1
const pickPersonId = () => `person-${String(pickLowNumber(size.learners)).padStart(6, '0')}`
/** Larger courses are picked more often. */
const pickCourseId = () => `sample-${String(Math.ceil(2 ** (Math.random() * 10))).padStart(7, '0')}`
const cursor = () =>
  pickOne([
    '',
    `${new Date(Date.now() - Math.random() * 5e10).toISOString().replace('Z', '000Z')}~x`,
  ])
const texts = [
  'ada',
  'byron',
  'a',
  'zo',
  'müller-3',
  'okafor-3f',
  'ada.shelley',
  '@school.example',
  'olena',
  'Олена',
  'qwxyz',
  '%',
]
const formatQuery = (fields: Record<string, string>) =>
  `?${new URLSearchParams({ ...fields, after: cursor() })}`

/** A random address of each page. */
const pathGenerators = {
  today: () => '/Desk',
  announcements: () => `/Desk/Announcements${formatQuery({})}`,
  newAnnouncement: () => '/Desk/Announcements/New',
  announcement: () => `/Desk/Announcements/${pickOne(['bench-sent', 'bench-draft'])}`,
  people: () =>
    `/Desk/People${formatQuery({ text: pickOne(['', pickOne(texts), pickPersonId()]), state: pickOne(['', 'confirmed', 'unconfirmed', 'disabled', 'never']), course: pickOne(['', pickCourseId()]) })}`,
  imports: () => '/Desk/People/Import',
  import: () => '/Desk/People/Import/bench-import',
  person: () => `/Desk/People/${pickPersonId()}`,
  courses: () =>
    `/Desk/Courses?${new URLSearchParams({ text: pickOne(['', 'python', 'design', 'a', 'qwxyz']), state: pickOne(['', 'published', 'withdrawn']), after: pickOne(['', '400~x']) })}`,
  course: () => `/Desk/Courses/${pickCourseId()}`,
  examPreview: () => '/Desk/Preview/python-from-zero/~exam',
  coursePreview: () => `/Desk/Preview/${pickCourseId()}/~`,
  courseLearners: () =>
    `/Desk/Courses/${pickCourseId()}/Learners?after=${pickOne(['', pickPersonId()])}`,
  learnerProgress: () => `/Desk/Courses/sample-0000001/Learners/${pickPersonId()}`,
  orders: () =>
    `/Desk/Orders${formatQuery({ text: pickOne(['', 'python', 'a', 'qwxyz', 'ada@school.example', pickOne(orders)]), state: pickOne(['', 'open', 'paid', 'refunded', 'canceled', 'asked']) })}`,
  order: () => `/Desk/Orders/${pickOne(orders)}`,
  coupons: () =>
    `/Desk/Coupons${formatQuery({ text: pickOne(['', 'class 7', 'qwxyz']), state: pickOne(['', 'open', 'over']) })}`,
  coupon: () => `/Desk/Coupons/${pickOne(coupons)}`,
  gifts: () =>
    `/Desk/Gifts${formatQuery({ text: pickOne(['', 'ada@school.example', 'zoe@school.example']), state: pickOne(['', 'waiting', 'redeemed', 'ended']) })}`,
  reviews: () =>
    `/Desk/Reviews${formatQuery({ state: pickOne(['', 'hidden', 'low', 'unanswered', 'reported']), course: pickOne(['', pickCourseId()]) })}`,
  staff: () => '/Desk/Staff',
  site: () => '/Desk/Site',
  siteHistory: () => '/Desk/Site/History',
  siteText: () => '/Desk/Site/Pages/terms',
  audit: () =>
    `/Desk/Audit${formatQuery({ by: pickOne(['', 'bench-0', 'qwxyz']), act: pickOne(['', 'orders', 'learner disable', 'q']), subject: pickOne(['', pickPersonId()]), since: pickOne(['', '2026-01-31']) })}`,
} satisfies Record<string, () => string>

const folder = process.argv[2] ?? mkdtempSync(path.join(tmpdir(), 'learnify-desk-'))
const isFilled = existsSync(path.join(folder, 'database'))
const product = await startProduct({ folder })
const database = await connectDatabase({ folder })
const [orders, coupons]: [string[], string[]] = [[], []]
const times = new Map<string, { ms: number; address: string }[]>()
try {
  if (!isFilled) {
    await fillCatalog(folder, size.courses)
    await fillSchool(database, size)
  }

  await database.query(`delete from users where id like 'bench-%'`)
  await database.query('delete from imports')
  await database.query(
    `insert into imports (id, by, file_name, state, emails_per_minute) values ('bench-import', 'bench-0', 'x.csv', 'done', 60)`,
  )
  const listIds = async (text: string) =>
    (await database.query<{ id: string }>(text)).rows.map(({ id }) => id)
  orders.push(...(await listIds('select id from orders order by id limit 1000')))
  coupons.push(...(await listIds('select code as id from coupons order by code limit 1000')))
  const place = { count: staffCount + workloadOptions.watching, folder, publicUrl: product.url }
  const { learners, signVisit } = await addSignedInLearners(database, place)
  const staff = learners.slice(0, staffCount)
  for (const { uid } of staff) {
    await database.query(`insert into staff (uid, role) values ($1, 'owner')`, [uid])
  }

  await addAnnouncements()
  const learnerTimes: Record<Pace, number[]> = { alone: [], 'at work': [], 'in a hurry': [] }
  const watching = learners.slice(staffCount)
  for (let turn = 0; turn < roundCount; turn++) {
    for (const pace of Object.keys(learnerTimes) as Pace[]) {
      const workload = new Workload(product.url)
      workload.start({ ...workloadOptions, watching, signVisit })
      const over = performance.now() + roundSeconds * 1000
      await Promise.all([
        pause(roundSeconds * 1000),
        ...(turn === 2 && pace === 'at work' ? [measureCount()] : []),
        ...staff.map(({ cookie }) =>
          workAtDesk(cookie, staffPauseMs[pace], () => performance.now() < over),
        ),
      ])

      await workload.stop()
      for (const failure of workload.failures) {
        throw new Error(failure)
      }

      learnerTimes[pace].push(...Object.values(workload.readAndResetFigures().times).flat())
    }
  }

  for (const [name, asked] of times) {
    addPageRow(name, asked)
  }

  const p99Of = (pace: Pace) => percentile(learnerTimes[pace], 0.99)
  for (const pace of ['at work', 'in a hurry'] as const) {
    const isGoal = pace === 'at work'
    addResult({
      figure: `learners beside the desk ${pace}`,
      value: `p99 ${p99Of(pace).toFixed(1)} ms, alone ${p99Of('alone').toFixed(1)} ms`,
      goal: isGoal ? `${goal.slowdown} of alone` : 'none',
      isMet: !isGoal || p99Of(pace) <= p99Of('alone') * goal.slowdown,
      ratio: (p99Of(pace) / p99Of('alone')).toFixed(2),
    })
  }

  await measureDownload('people', {}, staff[0]?.cookie ?? '')
  await measureDownload('progress', { course: 'sample-0000001' }, staff[0]?.cookie ?? '')
} finally {
  await database.end()
  await product.stop()
  if (!process.argv[2]) {
    rmSync(folder, { recursive: true, force: true })
  }
}

compareNumbers()

/** Adds an announcement to everybody, and a draft. */
async function addAnnouncements(): Promise<void> {
  await database.query(`insert into announcements (id, audience, subject, body, state) values
    ('bench-sent', 'all', 'News', 'Hello', 'done'), ('bench-draft', 'all', 'News', 'Hello', 'draft') on conflict do nothing`)
  await database.query(`insert into announcement_mails (uid, announcement_id, state, at)
    select id, 'bench-sent', case when random() < 0.99 then 'sent' else 'failed' end, now() from users on conflict do nothing`)
}

/** Waits until the background work has counted all figures, while learners and staff work. */
async function measureCount(): Promise<void> {
  await database.query('delete from desk_figures')
  const counted = async () =>
    (
      await database.query(
        `select extract(epoch from now() - counted_at)::float8 as seconds from desk_figures`,
      )
    ).rows

  await waitUntil('figures', 600, async () => (await counted()).length > 0)
  const seconds = (await counted())[0].seconds
  addResult({
    figure: 'figures counted anew',
    value: `${seconds.toFixed(0)} s`,
    goal: '60 s',
    isMet: seconds <= 60,
  })
}

async function workAtDesk(
  cookie: string,
  pauseMs: number | null,
  goesOn: () => boolean,
): Promise<void> {
  if (pauseMs === null) {
    return
  }

  while (goesOn()) {
    for (const [name, addressOf] of Object.entries(pathGenerators)) {
      const address = addressOf()
      const began = performance.now()
      const response = await fetch(product.url + address, {
        headers: { Cookie: cookie },
        redirect: 'manual',
      })
      await response.text()
      if (response.status !== 200) {
        throw new Error(`${address}: ${response.status}`)
      }

      times.set(name, [...(times.get(name) ?? []), { address, ms: performance.now() - began }])
      await pause(pauseMs)
    }
  }
}

function addPageRow(name: string, asked: { address: string; ms: number }[]): void {
  const [p50, p99] = [0.5, 0.99].map((share) =>
    percentile(
      asked.map(({ ms }) => ms),
      share,
    ),
  ) as [number, number]

  addResult({
    figure: `desk: ${name}`,
    value: `p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms of ${asked.length}`,
    goal: `p50 ${goal.p50} ms, p99 ${goal.p99} ms`,
    isMet: p50 <= goal.p50 && p99 <= goal.p99,
  })
  const slowest = asked.toSorted((a, b) => b.ms - a.ms).slice(0, 3)
  for (const { address, ms } of slowest) {
    console.log(`  ${ms.toFixed(0).padStart(6)} ms  ${address}`)
  }
}

async function measureDownload(
  table: string,
  fields: Record<string, string>,
  cookie: string,
): Promise<void> {
  await database.query('update sessions set confirmed_at = now() where user_id like $1', [
    'bench-%',
  ])
  const [before, began] = [residentMemory(product.pid).now, performance.now()]
  const response = await fetch(`${product.url}/Desk/Export`, {
    method: 'POST',
    headers: { Cookie: cookie, Origin: product.url },
    body: new URLSearchParams({ table, ...fields }),
  })
  let [lines, most] = [0, before]
  for await (const part of response.body ?? []) {
    lines += Buffer.from(part).toString('latin1').split('\n').length - 1
    most = Math.max(most, residentMemory(product.pid).now)
  }

  addResult({
    figure: `download of ${table}`,
    value: `${lines - 1} rows in ${((performance.now() - began) / 1000).toFixed(0)} s, memory + ${Math.round(most - before)} MB`,
    goal: `${size.learners} rows, + ${goal.megabytes} MB`,
    isMet: lines > size.learners && most - before <= goal.megabytes,
  })
}

/** Runs the test of every number in its own database, with more acts. */
function compareNumbers(): void {
  const test = 'app/features/desk/every-number.server.test.ts'
  const { status } = spawnSync('npx', ['vitest', 'run', test], {
    cwd: path.resolve(import.meta.dirname, '..'),
    env: { ...process.env, DESK_ACTS: String(auditEntryCount) },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const value = status === 0 ? 'equal' : 'not equal'
  addResult({
    figure: `every number after ${auditEntryCount} random acts`,
    value,
    goal: 'counting the facts',
    isMet: status === 0,
  })
}

/**
 * `node bench/deployment.mjs`: three processes of the product, started at once, on Debian's PostgreSQL 15 behind PgBouncer in
 * transaction mode, with the default settings. Learners report progress, sign up and read pages without a pause while the
 * database, the pooler and one process are restarted or killed. Ends with status 1 if a process died by itself, if an
 * acknowledged write is lost, if an answer is a 5xx other than 503, or if writes stop for more than 15 seconds.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import postgres from 'postgres'
import { prepareBuild } from '../scripts/build.ts'
import { findMissingPackages, startDebianDatabase } from './debian-database.mjs'
import { end, ready, startProcess } from './processes.mjs'
import { freePort } from './product.mjs'
import { addSignedInLearners } from './product-database.mjs'
import { requirePackages } from './rows.mjs'

requirePackages(findMissingPackages())

const courseId = 'python-from-zero'
const lessonId = 'names-and-values'
const pieceMs = 10
const stepMs = 15
const pieces = 28_000 / stepMs
const mostSecondsWithout = 15
const problems = []

prepareBuild()
for (const poolSize of [20, 2]) await tryDeployment(poolSize)
for (const problem of problems) console.log(`PROBLEM: ${problem}`)
console.log(problems.length === 0 ? 'passed' : `${problems.length} problems`)
process.exit(problems.length === 0 ? 0 : 1)

async function tryDeployment(poolSize) {
  const database = await startDebianDatabase({ poolSize })
  const folder = await mkdtemp(path.join(tmpdir(), 'learnify-deployment-'))
  const processes = []
  const rows = []
  const load = newLoad(processes)
  try {
    const startedAt = Date.now()
    for (let count = 0; count < 3; count++)
      processes.push(startProcess({ folder, port: await freePort(), variables: variables(database) }))
    await Promise.all(processes.map(ready))
    rows.push({ what: 'three starts at once', seconds: secondsSince(startedAt) })
    if (!processes.every((one) => one.log.includes('no longer prepared')))
      problems.push('a process did not say that statements are no longer prepared')

    const sql = postgres(database.directUrl, { max: 1, onnotice: () => {}, onclose: () => {} })
    const { learners, signVisit } = await addSignedInLearners(sql, {
      count: 10,
      courseId,
      folder,
      port: processes[0].port,
    })
    await sql.end()
    load.start(learners, signVisit, processes[0].port)

    await phase(rows, load, 'load alone', () => pause(3_000))
    await phase(rows, load, 'PostgreSQL restarts', () => database.restart())
    await phase(rows, load, 'PostgreSQL restarts again', () => database.restart())
    await phase(rows, load, 'PgBouncer is killed and restarts', () => database.restartPooler())
    await phase(rows, load, 'one process is killed (-9), started again', async () => {
      const { folder: same, port } = processes[1]
      await end(processes[1], 'SIGKILL')
      processes[1] = startProcess({ folder: same, port, variables: variables(database) })
      await ready(processes[1])
    })
    await phase(rows, load, 'one process gets SIGTERM, started again', async () => {
      const { folder: same, port } = processes[2]
      const status = await end(processes[2], 'SIGTERM')
      if (status !== 0) problems.push(`a process that got SIGTERM ended with status ${status}`)
      processes[2] = startProcess({ folder: same, port, variables: variables(database) })
      await ready(processes[2])
    })
    await load.stop()
    await checkStored(database, load)
    for (const one of processes)
      if (one.child.exitCode !== null) problems.push(`a process died: ${one.log.slice(-500)}`)
    for (const [status, count] of load.statuses)
      if (status >= 500 && status !== 503) problems.push(`${count} answers had status ${status}`)
    const odd = processes.flatMap((one) =>
      one.log.split('\n').filter((line) => /unhandled rejection|uncaught exception/.test(line)),
    )
    if (odd.length > 0) problems.push(`${odd.length} uncaught errors, the first: ${odd[0]}`)
  } finally {
    await load.stop()
    for (const one of processes) if (one.child.exitCode === null) await end(one, 'SIGKILL')
    await database.stop()
    await rm(folder, { recursive: true, force: true })
  }
  console.log(`PgBouncer with ${poolSize} connections; answers by status: ${JSON.stringify([...load.statuses])}`)
  console.table(rows)
}

/** Writers, registrations and readers; each takes another process for each request, like a proxy that knows no better. */
function newLoad(processes) {
  const load = {
    count: 0,
    acknowledged: new Map(),
    registered: /** @type {string[]} */ ([]),
    statuses: new Map(),
    lastAt: 0,
    longestMs: 0,
    refused: 0,
  }
  let running = false
  let turn = 0
  /** @type {Promise<unknown>} */
  let work = Promise.resolve()
  const ask = async (address, options) => {
    const one = processes[turn++ % processes.length]
    const response = await fetch(one.url + address, options?.(one)).catch(() => null)
    await response?.arrayBuffer().catch(() => null)
    const status = response?.status ?? 0
    load.statuses.set(status, (load.statuses.get(status) ?? 0) + 1)
    if (status !== 200) {
      load.refused += 1
      await pause(50)
    }
    return status
  }
  const acknowledge = () => {
    const now = Date.now()
    load.longestMs = Math.max(load.longestMs, now - load.lastAt)
    load.lastAt = now
    load.count += 1
  }
  const post = (one, body, cookie) => ({
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: one.url, ...(cookie && { Cookie: cookie }) },
    body: JSON.stringify(body),
  })
  async function learn({ uid, cookie }, signVisit, port) {
    const openedAt = Date.now() - 3_600_000
    const signature = signVisit(uid, lessonId, openedAt)
    const mine = load.acknowledged.set(uid, new Set()).get(uid)
    for (let piece = 0; running && piece < pieces; piece++) {
      const start = piece * stepMs
      const body = {
        uid,
        openedAt,
        signature,
        watched: [[start, start + pieceMs]],
        position: { ms: start, at: openedAt + start },
      }
      const status = await ask(`/Learn/${courseId}/${lessonId}/progress`, (one) =>
        post(one, body, cookie.replace(`learnify-${port}.`, `learnify-${one.port}.`)),
      )
      if (status === 200) {
        mine.add(piece)
        acknowledge()
      }
      await pause(20)
    }
  }
  async function register() {
    for (let index = 0; running; index++) {
      const email = `new-${index}@bench.example`
      const body = { email, password: 'Long-enough-1', firstName: 'New', lastName: 'Learner' }
      if ((await ask('/account/register', (one) => post(one, body))) === 200) load.registered.push(email)
      await pause(400)
    }
  }
  async function read() {
    for (let index = 0; running; index++) {
      await ask(`/AllCourses?search=python${index}`)
      await pause(100)
    }
  }
  return Object.assign(load, {
    start(learners, signVisit, port) {
      running = true
      load.lastAt = Date.now()
      work = Promise.all([...learners.map((learner) => learn(learner, signVisit, port)), register(), read()])
    },
    async stop() {
      running = false
      await work
    },
  })
}

/** Runs `event` under load, then waits until every process is ready again and writes go on. */
async function phase(rows, load, what, event) {
  load.longestMs = 0
  load.count = 0
  load.refused = 0
  await event()
  const before = load.count
  for (const since = Date.now(); load.count < before + 20 && Date.now() - since < 30_000; ) await pause(50)
  load.longestMs = Math.max(load.longestMs, Date.now() - load.lastAt)
  const seconds = load.longestMs / 1000
  rows.push({ what, 'longest without a write (s)': seconds, written: load.count, refused: load.refused })
  if (seconds > mostSecondsWithout) problems.push(`${what}: no write for ${seconds} seconds`)
}

async function checkStored(database, load) {
  const sql = postgres(database.directUrl, { max: 1, onnotice: () => {} })
  for (const [uid, acknowledged] of load.acknowledged) {
    const stored = await sql`
      select lower(part) as start from lesson_progress, unnest(watched_ms) part where uid = ${uid} and lesson_id = ${lessonId}`
    const found = new Set(stored.map(({ start }) => Math.round(start / stepMs)))
    const lost = [...acknowledged].filter((piece) => !found.has(piece))
    if (lost.length > 0) problems.push(`${lost.length} acknowledged reports of ${uid} are lost`)
  }
  const known = new Set((await sql`select email from users`).map(({ email }) => email))
  const lost = load.registered.filter((email) => !known.has(email))
  if (lost.length > 0) problems.push(`${lost.length} acknowledged accounts are lost`)
  await sql.end()
}

function variables({ url }) {
  return { DATABASE_URL: url, LOG_LEVEL: 'info' }
}

function secondsSince(moment) {
  return (Date.now() - moment) / 1000
}

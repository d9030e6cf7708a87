/**
 * `node bench/replica.mjs`: two processes on Debian's PostgreSQL 15 with a streaming replica (DATABASE_READ_URL), while one
 * learner writes reviews and others read course pages. The replica is held back (`pg_wal_replay_pause`), killed, halted
 * and brought back. Prints who served, how long pages took, and how many were wrong: a page without a review that was
 * stored two seconds before, or without the reader's own. Ends with status 1 if any was.
 */
import { setTimeout as pause } from 'node:timers/promises'
import postgres from 'postgres'
import { findMissingPackages, startDebianDatabase } from './debian-database.mjs'
import { startProduct } from './product.mjs'
import { addSignedInLearners, sendReview } from './product-database.mjs'
import { addRow, percentile, requirePackages } from './rows.mjs'

requirePackages(findMissingPackages())

const courseId = 'python-from-zero'
const course = `/OneCourse/${courseId}?sort=newest`
const seenWithinMs = 2_000
const phaseMs = 10_000

const database = await startDebianDatabase({ poolSize: 10 })
const stops = [() => database.stop()]
const connection = (url) => postgres(url, { max: 1, onnotice: () => {}, onclose: () => {}, connect_timeout: 5 })
/** Of the present phase. */
const counted = { times: /** @type {number[]} */ ([]), wrong: 0, failed: 0, refused: 0, own: 0, ownWrong: 0 }
/** Reviews in the order of their numbers: when each was acknowledged. */
const stored = []
let running = true
let turn = 0
try {
  const replica = await database.addReplica()
  stops.unshift(() => replica.stop().catch(() => {}))
  // What a busy machine has it refuse is no failure of the replica's.
  const variables = { DATABASE_URL: database.directUrl, DATABASE_READ_URL: replica.url, SHED_AFTER_MS: '10000' }
  const one = await startProduct({ variables })
  stops.unshift(() => one.stop())
  const other = await startProduct({ folder: one.folder, variables })
  stops.unshift(() => other.stop())
  const sql = connection(database.directUrl)
  stops.unshift(() => sql.end({ timeout: 1 }))
  const port = Number(new URL(one.url).port)
  const { learners } = await addSignedInLearners(sql, { count: 1, courseId, folder: one.folder, port })
  await sql`update users set email_verified = true where id like 'bench-%'`
  await sql`update enrollments set completed_at = now() where uid like 'bench-%'`
  const site = { one, other, cookie: learners[0].cookie, replica, sql }
  const work = Promise.all([write(site), read(site, true), read(site, false), read(site, false)])
  stops.unshift(async () => {
    running = false
    await work
  })
  await pause(3_000)
  await phase(site, 'replica up to date', () => {})
  await phase(site, 'replay held back', () => inReplica(site, (its) => its`select pg_wal_replay_pause()`))
  await inReplica(site, (its) => its`select pg_wal_replay_resume()`)
  await phase(site, 'replay goes on', () => pause(1_000))
  await phase(site, 'replica killed', () => replica.stop())
  await replica.start()
  await phase(site, 'replica is back', () => pause(3_000))
  await phase(site, 'replica halted', () => replica.halt())
  await replica.goOn()
  await phase(site, 'replica goes on', () => pause(3_000))
} finally {
  for (const stop of stops) await stop()
}

async function inReplica({ replica }, ask) {
  const its = connection(replica.url)
  try {
    return await ask(its)
  } finally {
    await its.end({ timeout: 1 })
  }
}

/** Every 300 ms, and reads the page at once from the other process, with the cookies that the answer set. */
async function write({ one, other, cookie }) {
  for (let number = 0; running; number++) {
    const comment = `Review number ${number}.`
    const response = await sendReview(one.url, cookie, courseId, comment)
    const added = response.headers.getSetCookie().map((set) => set.split(';')[0])
    if (response.status >= 400) counted.refused += 1
    else {
      stored.push({ number, at: performance.now() })
      const own = await fetch(other.url + course, { headers: { Cookie: added.join('; ') } })
      counted.own += 1
      if (numberOn(await own.text()) < number) counted.ownWrong += 1
    }
    await pause(300)
  }
}

/** Kept pages, or each at an address of its own, which has to be rendered. */
async function read({ other }, kept) {
  while (running) {
    const due = stored.findLast((review) => performance.now() - review.at > seenWithinMs)?.number ?? -1
    const startedAt = performance.now()
    const response = await fetch(`${other.url}${course}${kept ? '' : `&why=${turn++}`}`)
    const text = await response.text()
    if (!kept) counted.times.push(performance.now() - startedAt)
    if (response.status !== 200) counted.failed += 1
    else if (numberOn(text) < due) counted.wrong += 1
    await pause(kept ? 5 : 20)
  }
}

/** React writes a comment between texts. */
function numberOn(text) {
  return Number(/Review number (\d+)\./.exec(text)?.[1] ?? -1)
}

async function phase(site, figure, event) {
  await event()
  const before = await servedIn(site)
  Object.assign(counted, { times: [], wrong: 0, failed: 0, refused: 0, own: 0, ownWrong: 0 })
  await pause(phaseMs)
  const { times, wrong, failed, refused, own, ownWrong } = structuredClone(counted)
  const after = await servedIn(site)
  const byReplica = before === null || after === null ? 'none' : String(after - before)
  const value = `${times.length} rendered, ${byReplica} transactions of the replica, p50 ${percentile(times, 0.5).toFixed(0)}, p95 ${percentile(times, 0.95).toFixed(0)} ms`
  const bad = wrong + failed + refused + ownWrong
  const ratio = `wrong ${wrong}, own ${ownWrong} of ${own}, failed ${failed + refused}`
  addRow({ figure, value, goal: 'no wrong or failed page', met: bad === 0, ratio })
}

/** Transactions that went through; null when they can't be asked for. */
async function servedIn(site) {
  const asked = inReplica(site, async (its) => {
    const [row] = await its`select xact_commit::int as count from pg_stat_database where datname = 'learnify'`
    return row.count
  })
  return Promise.race([asked.catch(() => null), pause(3_000).then(() => null)])
}

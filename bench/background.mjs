/**
 * `node bench/background.mjs`: two processes on one database, with reminders to send. The one that does the background work
 * is killed (-9), told to stop, or halted in the middle of its work (SIGSTOP) until another has done it and then let go on.
 * Prints how long nothing was done, and how many reminders were queued or sent twice. Ends with status 1 when it took
 * longer than ten seconds, or when one is missing or doubled.
 */
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort, startProduct } from './product.mjs'
import { openProductDatabase } from './product-database.mjs'
import { addRow } from './rows.mjs'

const learners = Number(process.env.LEARNERS ?? 300)
const mostSeconds = 10
const mostSecondsHalted = 45
const port = await freePort()
const variables = { LOG_LEVEL: 'error' }
const first = await startProduct({ port, variables })
const processes = [first, await startProduct({ folder: first.folder, variables })]
const sql = await openProductDatabase(first.folder)
let count = 0
try {
  await measure('the process ends (SIGTERM)', { signal: 'SIGTERM' })
  await measure('the process is killed (-9)', { signal: 'SIGKILL' })
  await measure('the process is halted, and goes on later', { signal: 'SIGSTOP' })
  await measure('the process is halted at its work', { signal: 'SIGSTOP', atWork: true })
  await measure('the process is killed at its work', { signal: 'SIGKILL', atWork: true })
  await checkOnce()
} finally {
  await sql.end({ timeout: 1 })
  for (const { stop } of processes.toReversed()) await stop()
}

/** Counts from the signal until the work of all learners is done. */
async function measure(figure, { signal, atWork = false }) {
  const holder = await waitForHolder()
  const uids = Array.from({ length: learners }, () => `bench-${count++}`)
  if (atWork) {
    await addReminders(uids)
    await until(async () => (await queued(uids)) > 0)
  }
  process.kill(holder.pid, signal)
  const startedAt = performance.now()
  if (!atWork) await addReminders(uids)
  const secondsSince = () => (performance.now() - startedAt) / 1000
  let takenOver = Number.NaN
  let openWhileHalted = 0
  await until(async () => {
    if (Number.isNaN(takenOver) && (await isReplaced(holder))) takenOver = secondsSince()
    openWhileHalted = uids.length - (await queued(uids))
    // What it had locked may wait for it: PostgreSQL can't tell it from a slow one.
    return openWhileHalted === 0 || (atWork && signal === 'SIGSTOP' && secondsSince() > mostSecondsHalted)
  }, 90)
  const isHalted = signal === 'SIGSTOP'
  if (isHalted) process.kill(holder.pid, 'SIGCONT')
  await until(async () => (await queued(uids)) === uids.length, 90)
  const seconds = secondsSince()
  const successor = await waitForHolder()
  const met = takenOver <= mostSeconds && successor.holder !== holder.holder
  const rest = openWhileHalted > 0 ? `, ${openWhileHalted} of them only once it went on` : ''
  const value = `another after ${takenOver.toFixed(1)} s, all ${learners} reminders after ${seconds.toFixed(1)} s${rest}`
  addRow({ figure, value, goal: `another within ${mostSeconds} s`, met })
  if (!isHalted) await replace(holder.pid)
  await pause(3_000)
}

async function isReplaced({ holder }) {
  return (await sql`select from background_lease where holder <> ${holder}`).length > 0
}

async function waitForHolder() {
  let found
  await until(async () => {
    const [row] = await sql`select holder from background_lease where expires_at > clock_timestamp()`
    found = row?.holder
    return found
  })
  return { holder: found, pid: Number(found.split(':').at(-2)) }
}

/** Whoever ended is started again. */
async function replace(pid) {
  await until(() => !isAlive(pid))
  processes.push(await startProduct({ folder: first.folder, variables }))
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** In a time zone whose clock shows eight in the morning, on each day of the week. */
async function addReminders(uids) {
  const ahead = ((8 - new Date().getUTCHours() + 36) % 24) - 12
  const zone = `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`
  await sql`insert into users (id, name, first_name, email, email_verified, timezone)
    select id, 'Bench', 'Bench', id || '@bench.example', true, ${zone} from unnest(${sql.array(uids, 25)}::text[]) as u(id)`
  await sql`insert into study_plans (uid, weekdays, reminder_hour, look_at)
    select id, '{1,2,3,4,5,6,7}', 8, now() - interval '1 minute' from unnest(${sql.array(uids, 25)}::text[]) as u(id)`
}

async function queued(uids) {
  const [row] =
    await sql`select count(*)::int as count from study_plans where uid = any(${sql.array(uids, 25)}::text[]) and reminded_at is not null`
  return row.count
}

async function checkOnce() {
  await until(async () => (await sql`select from outbox where kind = 'study-reminder'`).length === 0, 180)
  const folder = path.join(first.folder, 'mail')
  const sent = new Map()
  for (const name of await readdir(folder)) {
    if (!name.endsWith('.eml')) continue
    const [, to] = /^To: (\S+)/m.exec(await readFile(path.join(folder, name), 'utf8')) ?? []
    if (to?.startsWith('bench-')) sent.set(to, (sent.get(to) ?? 0) + 1)
  }
  const doubled = [...sent.values()].filter((times) => times > 1).length
  const value = `${sent.size} of ${count} learners, ${doubled} twice`
  const met = sent.size === count && doubled === 0
  addRow({ figure: 'reminders sent', value, goal: 'each once', met })
}

async function until(isTrue, seconds = 60) {
  for (const since = performance.now(); !(await isTrue()); await pause(50)) {
    if (performance.now() - since > seconds * 1000) throw new Error(`Still not so after ${seconds} seconds.`)
  }
}

/**
 * `node bench/cluster/failover.mjs`: three processes of Learnify behind HAProxy, on two PostgreSQL 15 with synchronous
 * replication under Patroni and etcd, behind PgBouncer; all on this machine, see `engines.mjs`. 200 learners are at work
 * while the primary's server, its machine, the standby, a process and the pooler are killed (-9) in turn. Prints the
 * seconds without writes, the acknowledged writes, and how many of them are lost or doubled; ends with status 1 if one is,
 * or if writes stop for longer than a minute. It takes about four minutes and stops by itself after ten.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import postgres from 'postgres'
import { prepareBuild } from '../../scripts/build.ts'
import { end, ready, startProcess } from '../processes.mjs'
import { freePort } from '../product.mjs'
import { addSignedInLearners } from '../product-database.mjs'
import { requirePackages } from '../rows.mjs'
import { findMissingPackages, startEngines } from './engines.mjs'
import { courseId, learnerCount, newLearners, startingMs } from './learners.mjs'

requirePackages(findMissingPackages())
const mostSecondsWithout = 60
const mostMinutes = 10
const problems = []
const rows = []
const closers = []
const giveUp = setTimeout(() => stopAll(`It took longer than ${mostMinutes} minutes.`), mostMinutes * 60_000)
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stopAll(`Stopped by ${signal}.`))
try {
  await run()
} catch (error) {
  problems.push(error.stack)
}
await stopAll()

async function run() {
  prepareBuild()
  const webPorts = [await freePort(), await freePort(), await freePort()]
  const engines = await startEngines({ webPorts })
  closers.push(() => engines.stop())
  const folder = await mkdtemp(path.join(tmpdir(), 'learnify-cluster-data-'))
  closers.push(() => rm(folder, { recursive: true, force: true }))
  const processes = startProcesses(engines, webPorts, folder)
  closers.push(() => Promise.all(processes.filter(isAlive).map((one) => end(one, 'SIGKILL'))))
  await Promise.all(processes.map(ready))
  const learners = await prepareLearners(engines, folder)
  closers.push(() => learners.stop().catch((error) => problems.push(error.stack)))
  learners.start()
  await killInTurn(engines, processes, learners)
  await learners.stop()
  await report(engines, processes, learners)
}

function startProcesses({ frontPort, url, directUrl }, ports, folder) {
  const variables = {
    PUBLIC_URL: `http://localhost:${frontPort}`,
    TRUST_PROXY: 'loopback',
    DATABASE_URL: url,
    DATABASE_DIRECT_URL: directUrl,
    LIMIT_REGISTRATIONS_BY_ADDRESS: '100000',
    LIMIT_REGISTRATIONS_BY_ADDRESS_AND_DAY: '100000',
    LOG_LEVEL: 'error',
  }
  return ports.map((port) => startProcess({ folder, port, variables }))
}

async function prepareLearners({ frontPort, directUrl }, folder) {
  const sql = postgres(directUrl, { max: 1, onnotice: () => {} })
  const options = { count: learnerCount, courseId, folder, port: frontPort }
  const { learners, signVisit } = await addSignedInLearners(sql, options)
  await sql`update users set email_verified = true`
  await sql`update enrollments set completed_at = now()`
  await sql.end()
  return newLearners({ url: `http://localhost:${frontPort}`, learners, signVisit })
}

async function killInTurn(engines, processes, { tally }) {
  const phase = (what, event, after) => runPhase(tally, what, event, after)
  await pause(1.5 * startingMs)
  await phase('nothing, for comparison', () => pause(10_000))
  await phase('PostgreSQL of the primary', async () => engines.killServer(await engines.whole()), engines.whole)
  const primary = await engines.whole()
  await phase('the primary’s machine', () => engines.killMachine(primary))
  await phase('(it comes back as standby)', () => engines.startMachine(primary), engines.whole)
  const standby = engines.other(await engines.whole())
  await phase('the standby’s machine', () => engines.killMachine(standby))
  await phase('(it comes back)', () => engines.startMachine(standby), engines.whole)
  await phase('one of three processes', async () => {
    await end(processes[1], 'SIGKILL')
    const { folder, port } = processes[1]
    await pause(3_000)
    processes[1] = startProcess({ folder, port, variables: processes[1].variables })
    await ready(processes[1])
  })
  await phase('PgBouncer, started again after 2 s', async () => {
    await engines.killPooler()
    await pause(2_000)
    await engines.startPooler()
  })
}

/** Makes `event` happen, waits until learners write again, then for `after`. */
async function runPhase(tally, what, event, after) {
  Object.assign(tally, { lastAt: Date.now(), longestMs: 0, written: 0, read: 0, refused: 0 })
  await event()
  for (let seconds = 0, before = tally.written; tally.written < before + 100 || seconds < 5; seconds++) {
    if (seconds > 2 * mostSecondsWithout) break
    await pause(1_000)
  }
  await after?.()
  const { longestMs, lastAt, written, read, refused } = tally
  const seconds = Math.max(longestMs, Date.now() - lastAt) / 1000
  rows.push({
    killed: what,
    'seconds without writes': seconds,
    written,
    'pages read': read,
    'without an answer': refused,
  })
  console.log(`${what}: ${seconds} s without writes`)
  if (seconds > mostSecondsWithout) problems.push(`${what}: no write for ${seconds} seconds`)
}

async function report({ directUrl }, processes, learners) {
  const sql = postgres(directUrl, { max: 1, onnotice: () => {} })
  const { acknowledged, lost, doubled } = await learners.check(sql)
  await sql.end()
  console.table(rows)
  console.log(`answers by status (0: none): ${JSON.stringify([...learners.tally.statuses])}`)
  console.log(`acknowledged writes: ${acknowledged}, lost: ${lost}, doubled: ${doubled}`)
  if (lost > 0) problems.push(`${lost} acknowledged writes are lost`)
  if (doubled > 0) problems.push(`${doubled} writes are doubled`)
  for (const [status, count] of learners.tally.statuses)
    if (status >= 500 && status !== 503) problems.push(`${count} answers had status ${status}`)
  for (const one of processes) if (!isAlive(one)) problems.push(`a process died: ${one.log.slice(-500)}`)
  const odd = processes.flatMap(({ log }) =>
    log.split('\n').filter((line) => /unhandled rejection|uncaught/.test(line)),
  )
  if (odd.length > 0) problems.push(`${odd.length} uncaught errors, the first: ${odd[0]}`)
}

function isAlive({ child }) {
  return child.exitCode === null && child.signalCode === null
}

async function stopAll(problem) {
  clearTimeout(giveUp)
  if (problem) problems.push(problem)
  for (const close of closers.splice(0).reverse()) await close()
  console.log(`${new Date().toISOString().slice(0, 10)}, ${cpus().length} × ${cpus()[0]?.model}`)
  for (const found of problems) console.log(`PROBLEM: ${found}`)
  console.log(problems.length === 0 ? 'passed' : `${problems.length} problems`)
  process.exit(problems.length === 0 ? 0 : 1)
}

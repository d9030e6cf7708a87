/**
 * `node bench/sign-in-storm.mjs`: what a storm of sign-ins does to public pages. Kept pages are asked for at a fifth of
 * their full rate, calm and with 64 sign-ins at a time in turns. Ends with status 1 when the storm slows them by more than
 * a tenth (p50), since they were sent or since they were due. It also says who had the processors, and who waited for one.
 * Visitors and storm share them with Learnify, as no visitor does: where it is allowed, the visitors go before all others
 * in both turns, so that what they measure isn't their own waiting. With `hall`: see `sign-in-hall.mjs`.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'
import path from 'node:path'
import { startProduct } from './product.mjs'
import { addRow } from './rows.mjs'
import { between, mainThread, niceThreads, processTree } from './scheduling.mjs'
import { account, measureHall, register } from './sign-in-hall.mjs'
import { at, load, median } from './visitors.mjs'

if (process.argv[2] === 'hall') {
  await measureHall()
  process.exit()
}
const rounds = 6
const seconds = 4
const mostSlowdown = 1.1
const visitors = 64
const storm = `
  const { url, bodies } = process.env
  const statuses = {}
  process.on('SIGTERM', () => { console.log(JSON.stringify(statuses)); process.exit() })
  const signIn = async (body) => {
    for (;;) {
      const options = { method: 'POST', headers: { 'Content-Type': 'application/json', Origin: url }, body }
      const answer = await fetch(url + '/account/login', options).catch(() => null)
      await answer?.arrayBuffer()
      statuses[answer?.status] = (statuses[answer?.status] ?? 0) + 1
      if (answer?.status === 503) await new Promise((resolve) => setTimeout(resolve, 200))
    }
  }
  JSON.parse(bodies).forEach(signIn)`

const limits = ['SIGN_INS', 'REGISTRATIONS_BY_ADDRESS', 'REGISTRATIONS_BY_ADDRESS_AND_DAY']
const product = await startProduct({
  variables: Object.fromEntries(limits.map((name) => [`LIMIT_${name}`, '1000000'])),
})
const port = Number(new URL(product.url).port)
const visitorsGoFirst = preferVisitors()
const page = () => '/AllCourses'
const phases = { calm: /** @type {any[]} */ ([]), storm: /** @type {any[]} */ ([]) }
const answers = {}
try {
  // Before the storm: it is about sign-ins.
  await register(product.url, visitors)
  await load(port, page, { seconds: 2 })
  const full = await load(port, page, { seconds: 3 })
  const rate = full.rate / 5
  for (let round = 0; round < rounds; round++) {
    phases.calm.push(await measured(rate))
    const storm = startStorm()
    await new Promise((resolve) => setTimeout(resolve, 500))
    phases.storm.push(await measured(rate, storm.pid))
    for (const [status, count] of Object.entries(await storm.stop())) answers[status] = (answers[status] ?? 0) + count
    await hashingEnds()
  }
  const rows = { 'since sent': ({ sent }) => sent, 'since due': ({ due }) => due }
  for (const [since, timeOf] of Object.entries(rows)) addRow(rowOf(since, timeOf, rate))
  if (!visitorsGoFirst)
    console.log('visitors wait for a processor like everybody: a higher priority is not allowed here')
  console.log(`sign-ins by status: ${JSON.stringify(answers)}`)
  for (const [name, list] of Object.entries(phases)) console.log(`${name}: ${figuresOf(list)}`)
} finally {
  await product.stop()
}

/** @param timeOf a phase's p50. */
function rowOf(since, timeOf, rate) {
  const [calm, busy] = [phases.calm, phases.storm].map((list) => median(list.map(timeOf)))
  const met = busy / calm <= mostSlowdown
  if (!met) process.exitCode = 1
  const value = `p50 ${busy.toFixed(2)} ms at ${Math.round(rate)} a second`
  const ratio = `${(busy / calm).toFixed(2)} of a calm time`
  return { figure: `kept page in a storm of sign-ins, ${since}`, value, goal: 'p50 at most a tenth slower', met, ratio }
}

/** @returns whether this process may have a processor before others. */
function preferVisitors() {
  try {
    setPriority(getPriority() - 5)
    return true
  } catch {
    return false
  }
}

/** One phase: how late pages come, and who had the two processors. */
async function measured(rate, stormPid) {
  const look = () => ({
    'main thread': mainThread(product.pid),
    visitors: mainThread(process.pid),
    hashing: niceThreads(product.pid),
    PostgreSQL: processTree(postmaster()),
    storm: stormPid ? processTree(stormPid) : { cpuMs: 0, waitedMs: 0, turns: 0 },
  })
  const before = look()
  const { times, answers } = await load(port, page, { seconds, rate })
  const after = look()
  const shares = Object.fromEntries(Object.keys(before).map((name) => [name, between(before[name], after[name])]))
  return { due: at(times, 0.5), sent: at(answers, 0.5), late: at(answers, 0.99), shares }
}

/** Those who still stand in line are served, though nobody waits any more. */
async function hashingEnds() {
  for (let before = -1, now = 0; before !== now; ) {
    before = now
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    now = niceThreads(product.pid).cpuMs
  }
}

/** Of the embedded database. */
function postmaster() {
  return Number(readFileSync(path.join(product.folder, 'database/cluster/data/postmaster.pid'), 'utf8').split('\n')[0])
}

function figuresOf(phase) {
  const of = (look) => median(phase.map(look))
  const times = `p50 ${of(({ due }) => due).toFixed(2)} ms since due, ${of(({ sent }) => sent).toFixed(2)} since sent, p99 ${of(({ late }) => late).toFixed(1)}`
  const shares = Object.keys(phase[0].shares).map((name) => {
    const share = (look) => of(({ shares }) => look(shares[name]))
    const percent = (share(({ cpuMs }) => cpuMs) / seconds / 10).toFixed(0)
    const wait = share(({ waitedMs, turns }) => waitedMs / Math.max(turns, 1)).toFixed(2)
    return `${name} ${percent}% of a core, waits ${wait} ms a turn`
  })
  return [times, ...shares].join('\n  ')
}

/** In a process of its own. @returns its process id, and what ends it and gives its answers by status. */
function startStorm() {
  const bodies = Array.from({ length: visitors }, (_, visitor) =>
    JSON.stringify({ ...account(visitor), rememberMe: true }),
  )
  const child = spawn(process.execPath, ['-e', storm], {
    env: { ...process.env, url: product.url, bodies: JSON.stringify(bodies) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  setPriority(child.pid ?? 0, getPriority(product.pid))
  return {
    pid: child.pid,
    async stop() {
      child.kill('SIGTERM')
      const [line] = await once(child.stdout, 'data')
      return JSON.parse(String(line))
    },
  }
}

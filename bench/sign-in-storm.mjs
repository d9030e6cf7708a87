/**
 * `node bench/sign-in-storm.mjs`: what a storm of sign-ins does to public pages. Kept pages are asked for at a fifth of
 * their full rate, calm and with 64 sign-ins at a time in turns. Ends with status 1 when the storm slows them by more than
 * a tenth (p50).
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { startProduct } from './product.mjs'
import { addRow } from './rows.mjs'
import { at, load, median } from './visitors.mjs'

const rounds = 6
const seconds = 4
const mostSlowdown = 1.1
const storm = `
  const { url } = process.env
  const statuses = {}
  process.on('SIGTERM', () => { console.log(JSON.stringify(statuses)); process.exit() })
  const post = async (what, visitor) => {
    const account = { email: process.pid + '-' + visitor + '@bench.example', password: 'Long-enough-1' }
    const names = what === 'register' && { firstName: 'Storm', lastName: 'Learner' }
    const body = JSON.stringify({ ...account, ...names })
    const options = { method: 'POST', headers: { 'Content-Type': 'application/json', Origin: url }, body }
    const answer = await fetch(url + '/account/' + what, options).catch(() => null)
    await answer?.arrayBuffer()
    return answer
  }
  const signIn = async (visitor) => {
    for (let known = false; ; ) {
      const answer = await post(known ? 'login' : 'register', visitor)
      known ||= answer?.status === 200
      statuses[answer?.status] = (statuses[answer?.status] ?? 0) + 1
      if (answer?.status === 503) await new Promise((resolve) => setTimeout(resolve, 200))
    }
  }
  for (let visitor = 0; visitor < 64; visitor++) signIn(visitor)`

const limits = ['SIGN_INS', 'REGISTRATIONS_BY_ADDRESS', 'REGISTRATIONS_BY_ADDRESS_AND_DAY']
const product = await startProduct({
  variables: Object.fromEntries(limits.map((name) => [`LIMIT_${name}`, '1000000'])),
})
const port = Number(new URL(product.url).port)
const page = () => '/AllCourses'
const times = { calm: /** @type {number[]} */ ([]), storm: /** @type {number[]} */ ([]) }
const answers = {}
try {
  await load(port, page, { seconds: 2 })
  const full = await load(port, page, { seconds: 3 })
  const rate = full.rate / 5
  for (let round = 0; round < rounds; round++) {
    times.calm.push(at((await load(port, page, { seconds, rate })).times, 0.5))
    const stop = startStorm()
    await new Promise((resolve) => setTimeout(resolve, 500))
    times.storm.push(at((await load(port, page, { seconds, rate })).times, 0.5))
    for (const [status, count] of Object.entries(await stop())) answers[status] = (answers[status] ?? 0) + count
  }
  const [calm, busy] = [median(times.calm), median(times.storm)]
  const met = busy / calm <= mostSlowdown
  const value = `p50 ${busy.toFixed(2)} ms at ${Math.round(rate)} a second`
  const ratio = `${(busy / calm).toFixed(2)} of a calm time`
  addRow({ figure: 'kept page in a storm of sign-ins', value, goal: 'p50 at most a tenth slower', met, ratio })
  console.log(`sign-ins by status: ${JSON.stringify(answers)}`)
  if (!met) process.exitCode = 1
} finally {
  await product.stop()
}

/** In a process of its own. @returns what ends it, and gives its answers by status. */
function startStorm() {
  const child = spawn(process.execPath, ['-e', storm], {
    env: { ...process.env, url: product.url },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return async () => {
    child.kill('SIGTERM')
    const [line] = await once(child.stdout, 'data')
    return JSON.parse(String(line))
  }
}

/**
 * `node bench/sign-in-storm.mjs hall`: a lecture hall. 300 learners with accounts press 'Sign In' within 30 seconds, then again
 * within two, and their forms go on by themselves as `app/features/accounts/form/use-another-try.ts` does. Ends with status 1 unless all are in
 * within two minutes, which is when a form would stop trying.
 */
import { startProduct } from './product.mjs'
import { addRow } from './rows.mjs'
import { at } from './visitors.mjs'

const learners = 300
const arrivals = [30, 2]
const mostSeconds = 120
const limits = ['SIGN_INS', 'REGISTRATIONS_BY_ADDRESS', 'REGISTRATIONS_BY_ADDRESS_AND_DAY']

export async function measureHall() {
  const product = await startProduct({
    variables: Object.fromEntries(limits.map((name) => [`LIMIT_${name}`, '1000000'])),
  })
  try {
    await register(product.url, learners)
    for (const arrival of arrivals) {
      const began = performance.now()
      const all = Array.from({ length: learners }, (_, number) => comeIn(product.url, number, arrival))
      const results = await Promise.all(all)
      addRow(rowOf(results, arrival, (performance.now() - began) / 1000))
    }
  } finally {
    await product.stop()
  }
}

function rowOf(results, arrival, seconds) {
  const waits = results.map(({ waited }) => waited).sort((a, b) => a - b)
  const tries = results.reduce((sum, { tries }) => sum + tries, 0)
  const others = results.flatMap(({ other }) => other ?? [])
  const met = others.length === 0 && seconds <= mostSeconds
  if (!met) process.exitCode = 1
  return {
    figure: `${learners} learners sign in within ${arrival} s`,
    value: `all after ${seconds.toFixed(0)} s, each after ${at(waits, 0.5).toFixed(1)} s (p50), ${waits.at(-1).toFixed(1)} s (last)`,
    goal: `all in within ${mostSeconds} s, by themselves`,
    met,
    ratio: others.length > 0 ? `other answers: ${others.join(', ')}` : `${tries} forms sent`,
  }
}

/** A few at a time; a busy machine refuses one now and then. */
export async function register(url, count) {
  const numbers = Array.from({ length: count }, (_, number) => number)
  const work = async () => {
    for (let number = numbers.pop(); number !== undefined; number = numbers.pop()) {
      const body = JSON.stringify({ ...account(number), firstName: 'Bench', lastName: 'Learner' })
      const headers = { 'Content-Type': 'application/json', Origin: url }
      const answer = await fetch(`${url}/account/register`, { method: 'POST', headers, body })
      if (answer.status === 503) {
        numbers.push(number)
        await wait(1)
      } else if (!answer.ok) throw new Error(`A learner couldn't register: ${answer.status} ${await answer.text()}`)
    }
  }
  await Promise.all(Array.from({ length: 8 }, work))
}

/** @returns how often the form was sent, seconds from the press to being in, and any answer but 'busy'. */
async function comeIn(url, number, arrival) {
  await wait(Math.random() * arrival)
  const pressed = performance.now()
  for (let tries = 1; ; tries++) {
    const { status, headers } = await send(url, number)
    const waited = (performance.now() - pressed) / 1000
    if (headers.getSetCookie().some((cookie) => cookie.includes('session'))) return { tries, waited }
    if (status !== 503) return { tries, waited, other: status }
    await wait(2 + Math.floor(Math.random() * 4))
  }
}

/** As the login form does. */
async function send(url, number) {
  const headers = { Origin: url, 'Content-Type': 'application/x-www-form-urlencoded' }
  const body = new URLSearchParams(account(number))
  const answer = await fetch(`${url}/Login.data`, { method: 'POST', headers, body, redirect: 'manual' })
  await answer.arrayBuffer()
  return answer
}

export const account = (number) => ({ email: `learner-${number}@bench.example`, password: 'Long-enough-1' })
const wait = (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000))

/**
 * `node bench/interaction.mjs [KIND ...]`: how long a press or a letter takes until the page is painted anew, as INP counts it,
 * with the processor slowed four times, like a simple phone's. One line for each kind of interaction (`interaction-kinds.mjs`,
 * or those whose name begins so) with the slowest of three visits, and what that one was. INP forgives one in fifty
 * interactions of a visit; here none is forgiven.
 */
import { chromium } from '@playwright/test'
import { chromiumPath } from '../scripts/chromium.ts'
import { kinds, learnersCourse, settle } from './interaction-kinds.mjs'
import { startProduct } from './product.mjs'
import { addRow } from './rows.mjs'
import { median } from './visitors.mjs'

const [rounds, slowdown, goalMs] = [3, 4, 100]
/** Chromium reports nothing faster. */
const leastMs = 16

const phone = { width: 390, height: 844 }
const desktop = { width: 1280, height: 800 }

/** @typedef {{ ms: number, what: string }} Interaction */

const chosen = process.argv.slice(2)
const product = await startProduct()
const browser = await chromium.launch({
  executablePath: chromiumPath() ?? undefined,
  args: ['--no-sandbox', '--disable-background-networking'],
})
try {
  const learner = await signIn()
  for (const kind of kinds) {
    if (chosen.length > 0 && !chosen.some((name) => kind.what.startsWith(name))) continue
    const interactions = []
    for (let round = 0; round < rounds; round++) interactions.push(...(await measure(kind, learner)))
    const times = interactions.map(({ ms }) => ms)
    const slowest = interactions.reduce((one, other) => (other.ms > one.ms ? other : one))
    addRow({
      figure: `interaction: ${kind.what}`,
      value: `p50 ${median(times)} ms, slowest ${slowest.ms} ms of ${times.length}: ${slowest.what}`,
      goal: `${goalMs} ms, CPU slowed ${slowdown} times`,
      met: slowest.ms <= goalMs,
    })
  }
} finally {
  await browser.close()
  await product.stop()
}

/** @returns the cookies of the demo learner, whose exam runs. */
async function signIn() {
  const context = await browser.newContext()
  const post = (path, form) =>
    context.request.post(product.url + path, { form, headers: { Origin: product.url }, maxRedirects: 0 })
  await post('/Login', { email: 'demo@learnify.example', password: 'Learnify2026' })
  await post(`/Exam/${learnersCourse}`, { intent: 'start' })
  const cookies = await context.storageState()
  await context.close()
  return cookies
}

/** @param {import('./interaction-kinds.mjs').Kind} kind @returns {Promise<Interaction[]>} */
async function measure({ address, phone: small = false, learner = false, act }, cookies) {
  const page = await browser.newPage({
    viewport: small ? phone : desktop,
    hasTouch: small,
    storageState: learner ? cookies : undefined,
  })
  await page.addInitScript(watchInteractions)
  await page.goto(product.url + address, { waitUntil: 'networkidle' })
  await page.locator('html[data-hydrated]').waitFor({ state: 'attached' })
  if (new URL(page.url()).pathname !== new URL(address, product.url).pathname)
    throw new Error(`${address} led to ${page.url()}.`)
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  await act(page)
  await settle(page)
  const interactions = await page.evaluate(() => [
    .../** @type {Map<number, Interaction>} */ (Reflect.get(window, 'interactions')).values(),
  ])
  await page.close()
  return interactions.length > 0 ? interactions : [{ ms: leastMs, what: 'nothing slower' }]
}

/** In the page: keeps the slowest event of each interaction, and where its time went. */
function watchInteractions() {
  /** @type {Map<number, Interaction>} */
  const interactions = new Map()
  Object.assign(window, { interactions })
  const nameOf = (element) => {
    const words = element.getAttribute('aria-label') ?? element.labels?.[0]?.textContent ?? element.textContent ?? ''
    return `${element.localName} "${words.trim().slice(0, 30)}"`
  }
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { interactionId, name, target, startTime, processingStart, processingEnd, duration } =
        /** @type {PerformanceEventTiming} */ (entry)
      if (!interactionId || (interactions.get(interactionId)?.ms ?? 0) >= duration) continue
      const [waited, handled] = [processingStart - startTime, processingEnd - processingStart].map(Math.round)
      const painted = Math.max(0, Math.round(startTime + duration - processingEnd))
      const where = target instanceof Element ? nameOf(target) : 'what is gone'
      const what = `${name} on ${where} (waited ${waited}, handled ${handled}, painted ${painted})`
      interactions.set(interactionId, { ms: duration, what })
    }
  }).observe(/** @type {PerformanceObserverInit} */ ({ type: 'event', durationThreshold: 16, buffered: true }))
}

/**
 * `node bench/interaction.mjs`: how long a press or a letter takes until the page is painted anew, as INP counts it, with the
 * processor slowed four times, like a simple phone's. One line for each kind of interaction, with the slowest of three visits.
 */
import { chromium } from '@playwright/test'
import { chromiumPath } from '../scripts/chromium.mjs'
import { startProduct } from './product.mjs'
import { addRow } from './rows.mjs'
import { median } from './visitors.mjs'

const [rounds, slowdown, goalMs] = [3, 4, 100]
/** As a quick typist. */
const letterMs = 120
/** Chromium reports nothing faster. */
const leastMs = 16

const phone = { width: 390, height: 844 }
const desktop = { width: 1280, height: 800 }

/** @type {[what: string, address: string, viewport: typeof phone, act: (page: import('@playwright/test').Page) => Promise<unknown>][]} */
const kinds = [
  [
    'search of the catalog',
    '/AllCourses',
    phone,
    (page) => type(page, page.getByLabel('Search courses'), 'python data'),
  ],
  ['suggestions', '/', desktop, (page) => type(page, page.getByLabel('Search Learnify'), 'python')],
  ['category and level', '/AllCourses', desktop, chooseCategories],
  ['filters', '/AllCourses', phone, chooseFilters],
  ['menu and theme', '/', phone, openMenu],
  ['tabs of a course', '/OneCourse', phone, readTabs],
  ['testimonials', '/', phone, turnTestimonials],
  ['form of an account', '/SignUp', phone, fillSignUp],
]

const product = await startProduct()
const browser = await chromium.launch({
  executablePath: chromiumPath() ?? undefined,
  args: ['--no-sandbox', '--disable-background-networking'],
})
try {
  for (const [what, address, viewport, act] of kinds) {
    const times = []
    for (let round = 0; round < rounds; round++) times.push(...(await measure(address, viewport, act)))
    const slowest = Math.max(...times)
    const value = `p50 ${median(times)} ms, slowest ${slowest} ms of ${times.length}`
    addRow({
      figure: `interaction: ${what}`,
      value,
      goal: `${goalMs} ms, CPU slowed ${slowdown} times`,
      met: slowest <= goalMs,
    })
  }
} finally {
  await browser.close()
  await product.stop()
}

/** @returns {Promise<number[]>} the milliseconds of each interaction. */
async function measure(address, viewport, act) {
  const page = await browser.newPage({ viewport, hasTouch: viewport === phone })
  await page.addInitScript(() => {
    /** @type {Map<number, number>} */
    const longest = new Map()
    Object.assign(window, { longest })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { interactionId, duration } = /** @type {PerformanceEventTiming} */ (entry)
        if (interactionId) longest.set(interactionId, Math.max(duration, longest.get(interactionId) ?? 0))
      }
    }).observe(/** @type {PerformanceObserverInit} */ ({ type: 'event', durationThreshold: 16, buffered: true }))
  })
  await page.goto(product.url + address, { waitUntil: 'networkidle' })
  await page.locator('html[data-hydrated]').waitFor({ state: 'attached' })
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  await act(page)
  await settle(page)
  const times = await page.evaluate(() => [
    .../** @type {Map<number, number>} */ (Reflect.get(window, 'longest')).values(),
  ])
  await page.close()
  return times.length > 0 ? times : [leastMs]
}

/** Until what was set off is painted, and told of. */
async function settle(page) {
  await page.waitForLoadState('networkidle')
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 300))))
}

async function type(page, field, text) {
  await field.click()
  await field.pressSequentially(text, { delay: letterMs })
  await settle(page)
  for (let letter = 0; letter < text.length; letter++) await page.keyboard.press('Backspace', { delay: letterMs })
}

async function chooseCategories(page) {
  for (const label of ['Category', 'Level']) {
    await page.getByLabel(label, { exact: true }).focus()
    for (let turn = 0; turn < 3; turn++) {
      await page.keyboard.press('ArrowDown')
      await settle(page)
    }
  }
}

async function chooseFilters(page) {
  await page.getByRole('button', { name: 'Filters', exact: true }).click()
  const boxes = page.getByRole('dialog', { name: 'Filters' }).getByRole('checkbox', { disabled: false })
  for (const place of [0, 1, 2]) {
    await boxes.nth(place).click()
    await settle(page)
  }
  await page.getByRole('button', { name: /^Show \d/ }).click()
}

async function openMenu(page) {
  for (let turn = 0; turn < 4; turn++) await page.getByRole('button', { name: 'Menu', exact: true }).click()
  for (let turn = 0; turn < 4; turn++) await page.getByRole('button', { name: 'Switch between light and dark' }).click()
}

async function readTabs(page) {
  for (const name of ['Curriculum', 'Instructor', 'Reviews', 'Overview']) {
    await page.getByRole('tab', { name }).click()
    await settle(page)
  }
  await page.getByRole('tab', { name: 'Curriculum' }).click()
  await page.getByRole('button', { name: 'Expand all sections' }).click()
}

async function turnTestimonials(page) {
  for (let turn = 0; turn < 4; turn++) await page.getByRole('button', { name: 'Next testimonial' }).click()
}

async function fillSignUp(page) {
  const fields = page.locator('main form input:not([type=hidden]):not([type=checkbox])')
  for (let place = 0; place < (await fields.count()); place++) {
    await fields.nth(place).click()
    await fields.nth(place).pressSequentially('Learn 2026', { delay: letterMs })
  }
  await page.locator('main form button[type=submit]').first().click()
}

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { expect, test } from '../support/browser'
import { waitForHydration } from '../support/hydration'
import { findFreePort } from '../support/product'
import { signUpNewLearner } from '../support/sign-in'
import { createOtherBuild, RoundRobinProxy, startBuild } from '../support/two-builds'

/** Two builds on one database behind one proxy, as during an upgrade. */
let folder: string
let proxy: RoundRobinProxy
let stops: (() => Promise<void>)[] = []
const busy = '<html><h1>502 Bad Gateway</h1></html>'

test.describe.configure({ mode: 'serial', timeout: 120_000 })

const [proxyPort, ...ports] = await Promise.all([findFreePort(), findFreePort(), findFreePort()])
test.use({ baseURL: `http://localhost:${proxyPort}` })

test.beforeAll(async () => {
  test.setTimeout(180_000)
  folder = await mkdtemp(path.join(tmpdir(), 'learnify-upgrade-'))
  const other = path.resolve('.cache', path.basename(folder))
  createOtherBuild(other)
  const variables = (port: number) => ({
    PORT: String(port),
    PUBLIC_URL: `http://localhost:${proxyPort}`,
    DATA_DIR: path.join(folder, 'data'),
  })

  for (const [index, place] of [path.resolve('.'), other].entries()) {
    stops.push(await startBuild(place, variables(ports[index] ?? 0)))
  }

  proxy = new RoundRobinProxy(ports)
  await proxy.listen(proxyPort ?? 0)
  stops.push(() => rm(other, { recursive: true, force: true }))
})

test.afterAll(async () => {
  await proxy?.close()
  for (const stop of stops) {
    await stop()
  }

  stops = []
  await rm(folder, { recursive: true, force: true })
})

test.beforeEach(() => {
  proxy.respond = () => null
})

test('every visit works, whichever build answers which request', async ({ page }) => {
  const missing: string[] = []
  page.on('response', (response) => {
    if (response.status() >= 400) {
      missing.push(response.url())
    }
  })

  for (let visit = 0; visit < 6; visit++) {
    await page.goto('/')
    await waitForHydration(page)
    await page.getByRole('link', { name: 'All courses' }).first().click()
    await expect(page).toHaveURL(/AllCourses/)
    await waitForHydration(page)
    await page.getByRole('link', { name: 'Python from Zero' }).first().click()
    await expect(page).toHaveURL(/OneCourse/)
    await waitForHydration(page)
    await page.getByRole('button', { name: 'Enroll Now' }).first().click()
    await expect(page.getByText('✓ Enrolled').first()).toBeVisible()

    await waitUntilEnrollmentIsStored(page)
    await page.evaluate(() => localStorage.clear())
  }

  expect(missing).toEqual([])
})

/** The page stores an enrollment after it has painted the button, so the button alone proves nothing. */
async function waitUntilEnrollmentIsStored(page: Page): Promise<void> {
  const listWaitingCourses = () =>
    page.evaluate(() => JSON.parse(localStorage.getItem('enrollments') ?? '{}').waiting)
  await expect.poll(listWaitingCourses).toHaveLength(1)
}

test('a proxy that answers for the product gets a sentence on the screen, and what was typed stays', async ({
  page,
  guard,
}) => {
  guard.allowConsoleError(/status of (413|502|504)/)
  await page.goto('/')
  await signUpNewLearner(page)
  await page.goto('/Profile/settings')
  const locationField = page.getByLabel('Location')
  await locationField.fill('Turin')
  const photo = await sharp({ create: { width: 64, height: 64, channels: 3, background: 'teal' } })
    .png()
    .toBuffer()
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: photo })
  proxy.respond = (_address, method) => (method === 'POST' ? { status: 413, html: busy } : null)
  await page.getByRole('button', { name: 'Save Changes' }).click()
  await expect(page.getByText('This is too large to send.')).toBeVisible()
  proxy.respond = () => ({ status: 504, html: busy })
  await page.getByRole('button', { name: 'Save Changes' }).click()
  await expect(page.getByText('The server is busy. Try again in a moment.')).toBeVisible()
  await expect(locationField).toHaveValue('Turin')
  proxy.respond = () => null
  await page.getByRole('button', { name: 'Save Changes' }).click()
  await expect(page.getByText('Settings saved successfully!')).toBeVisible()
})

test('a page that a proxy answers for says a sentence instead of raw HTML', async ({
  page,
  guard,
}) => {
  guard.allowConsoleError(/status of 502|The server is busy/)
  await page.goto('/')
  await waitForHydration(page)
  proxy.respond = (address) => (address.includes('.data') ? { status: 502, html: busy } : null)
  await page.getByRole('link', { name: 'All courses' }).first().click()
  await expect(page.getByText('The server is busy. Try again in a moment.')).toBeVisible()
  await expect(page.getByText('Bad Gateway')).toHaveCount(0)
})

test('a sign-in that a proxy answers for says so in the form', async ({ page, guard }) => {
  guard.allowConsoleError(/status of 502|The server is busy/)
  await page.goto('/Login')
  await waitForHydration(page)
  proxy.respond = (address) =>
    address.startsWith('/Login.data') ? { status: 502, html: busy } : null
  await page.getByLabel('Email').fill('ada@test.example')
  await page.locator('input[type=password]').fill('Correct-horse-7')
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expect(page.getByText('Login failed', { exact: true }).first()).toBeVisible()
  await expect(page.getByLabel('Email')).toHaveValue('ada@test.example')
})

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

  for (let visit = 0; visit < 3; visit++) {
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

/**
 * The page stores an enrollment after it has painted the button, so the button alone proves
 * nothing.
 */
async function waitUntilEnrollmentIsStored(page: Page): Promise<void> {
  const listWaitingCourses = () =>
    page.evaluate(() => JSON.parse(localStorage.getItem('enrollments') ?? '{}').waiting)
  await expect.poll(listWaitingCourses).toHaveLength(1)
}

test('a proxy that answers for the product gets a sentence on the screen, and what was typed stays', async ({
  page,
  guard,
}) => {
  guard.allowConsoleError(/status of (413|502|504)|The server is busy/)
  // With two builds, a link may load its page whole, without the request that fails here.
  proxy.ports = ports.slice(0, 1)
  const busyText = page.getByText('The server is busy. Try again in a moment.')

  await test.step('a page that does not arrive', async () => {
    await page.goto('/')
    await waitForHydration(page)
    proxy.respond = (url) => (url.includes('.data') ? { status: 502, html: busy } : null)
    await page.getByRole('link', { name: 'All courses' }).first().click()
    await expect(busyText).toBeVisible()
    await expect(page.getByText('Bad Gateway')).toHaveCount(0)

    proxy.respond = () => null
  })

  await test.step('a sign-in that does not arrive', async () => {
    await page.goto('/Login')
    await waitForHydration(page)
    proxy.respond = (url) => (url.startsWith('/Login.data') ? { status: 502, html: busy } : null)
    await page.getByLabel('Email').fill('ada@test.example')
    await page.locator('input[type=password]').fill('Correct-horse-7')
    await page.getByRole('button', { name: 'Sign In', exact: true }).click()
    await expect(page.getByText('Login failed', { exact: true }).first()).toBeVisible()
    await expect(page.getByLabel('Email')).toHaveValue('ada@test.example')

    proxy.respond = () => null
  })

  await test.step('settings that are too large, or do not arrive', async () => {
    await signUpNewLearner(page)
    await page.goto('/Profile/settings')
    await waitForHydration(page)
    const locationField = page.getByLabel('Location')
    const saveButton = page.getByRole('button', { name: 'Save Changes' })
    await locationField.fill('Turin')
    const photo = await sharp({
      create: { width: 64, height: 64, channels: 3, background: 'teal' },
    })
      .png()
      .toBuffer()
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: photo })
    proxy.respond = (_url, method) => (method === 'POST' ? { status: 413, html: busy } : null)
    await saveButton.click()
    await expect(page.getByText('This is too large to send.')).toBeVisible()

    proxy.respond = (_url, method) => (method === 'POST' ? { status: 504, html: busy } : null)
    await saveButton.click()
    await expect(busyText).toBeVisible()
    await expect(locationField).toHaveValue('Turin')

    proxy.respond = () => null
    await saveButton.click()
    await expect(page.getByText('Settings saved successfully!')).toBeVisible()
  })
})

import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { expect, test } from '../support/browser'
import { idle } from '../support/hydration'

test.use({ contextOptions: { reducedMotion: 'no-preference' } })

const globe = (page: Page) => page.locator('[data-globe]')

/** Adds up the layout shifts of the page from its start. */
async function countShifts(page: Page) {
  await page.addInitScript(() => {
    const shifts: number[] = []
    Object.assign(window, { shifts })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        shifts.push((entry as PerformanceEntry & { value: number }).value)
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })

  return () => page.evaluate(() => (window as unknown as { shifts: number[] }).shifts)
}

/** What the page asks for from the network that belongs to the moving globe. */
function globeRequests(page: Page): string[] {
  const asked: string[] = []
  page.on('request', (request) => {
    if (/globe-animation/.test(request.url())) {
      asked.push(request.url())
    }
  })

  return asked
}

/** Parts of the moving globe that were asked for before the page had loaded. */
function askedBeforeLoad(page: Page) {
  return page.evaluate(() => {
    const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
    return performance
      .getEntriesByType('resource')
      .filter(
        ({ name, startTime }) =>
          /globe-animation/.test(name) && startTime < (navigation?.loadEventEnd ?? 0),
      )
      .map(({ name }) => name)
  })
}

test.describe('the globe', () => {
  test('starts as a still picture and moves in the same box once the page is idle, without a layout shift', async ({
    page,
  }) => {
    const shifts = await countShifts(page)
    test.slow()
    await page.goto('/')
    const still = await globe(page).boundingBox()
    await expect(globe(page).locator('img').first()).toBeAttached()
    await expect(globe(page)).toHaveAttribute('data-globe', 'moving', { timeout: 40_000 })
    await expect(globe(page).locator('canvas')).toBeVisible()
    expect(await globe(page).boundingBox()).toEqual(still)
    expect(await shifts()).toEqual([])
    expect(await askedBeforeLoad(page)).toEqual([])
  })

  test('shows its land', async ({ page }) => {
    test.slow()
    await page.goto('/')
    await expect(globe(page)).toHaveAttribute('data-globe', 'moving', { timeout: 40_000 })
    // Where the middle is all of one color, no map was drawn.
    const { x, y, width, height } = (await globe(page).boundingBox()) ?? {
      x: 0,
      y: 0,
      width: 0,
      height: 0,
    }
    const clip = {
      x: x + width * 0.35,
      y: y + height * 0.4,
      width: width * 0.2,
      height: height * 0.2,
    }

    await expect
      .poll(async () => (await sharp(await page.screenshot({ clip })).stats()).entropy, {
        timeout: 20_000,
      })
      .toBeGreaterThan(2)
  })

  test('stays a still picture where motion is unwanted', async ({ page }) => {
    const asked = globeRequests(page)
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.goto('/')
    await idle(page)
    await expect(globe(page)).toHaveAttribute('data-globe', 'still')
    await expect(globe(page).locator('canvas')).toHaveCount(0)
    expect(asked).toEqual([])
  })

  test('stays a still picture where it cannot be drawn', async ({ page }) => {
    await page.addInitScript(() => {
      HTMLCanvasElement.prototype.getContext = () => null
    })
    await page.goto('/')
    await idle(page)
    await expect(globe(page)).toHaveAttribute('data-globe', 'still')
    await expect(globe(page).locator('img').first()).toBeVisible()
  })

  test('is decoration: a screen reader does not meet it', async ({ page }) => {
    await page.goto('/')
    await expect(globe(page)).toHaveAttribute('aria-hidden', 'true')
  })
})

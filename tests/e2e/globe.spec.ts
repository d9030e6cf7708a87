import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { expect, test } from '../support/browser'
import { waitUntilIdle } from '../support/hydration'

test.use({ contextOptions: { reducedMotion: 'no-preference' } })

const globe = (page: Page) => page.locator('[data-globe]')

/** The parts of a `layout-shift` entry that TypeScript doesn't know. */
type LayoutShift = PerformanceEntry & {
  value: number
  sources: { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[]
}

/**
 * Records the layout shifts of the page after its HTML has arrived. On a busy machine the browser
 * may paint a half-received page, whose header then moves; the globe starts only later.
 *
 * @returns a function that describes each shift with the elements that moved, so that a failed
 * expectation names them
 */
async function recordShifts(page: Page) {
  await page.addInitScript(() => {
    const formatNode = (node: Node | null) => {
      const element = node instanceof Element ? node : node?.parentElement
      return element ? element.outerHTML.slice(0, 120) : 'a removed element'
    }
    const formatRect = ({ x, y, width, height }: DOMRectReadOnly) =>
      `${width} x ${height} at ${x}, ${y}`

    const shifts: string[] = []
    Object.assign(window, { shifts })
    const observer = new PerformanceObserver((list) => {
      for (const { value, sources } of list.getEntries() as LayoutShift[]) {
        const movements = sources.map(
          ({ node, previousRect, currentRect }) =>
            `${formatNode(node)} from ${formatRect(previousRect)} to ${formatRect(currentRect)}`,
        )
        shifts.push(`${value}: ${movements.join('; ')}`)
      }
    })
    document.addEventListener('DOMContentLoaded', () => observer.observe({ type: 'layout-shift' }))
  })

  return () => page.evaluate(() => (window as unknown as { shifts: string[] }).shifts)
}

/**
 * Lets the moving globe start in the tests' browser, which draws WebGL without a graphics card. The
 * viewport is small, because the processor takes long to draw a large globe.
 */
async function pretendGraphicsCard(page: Page): Promise<void> {
  await page.setViewportSize({ width: 640, height: 800 })
  await page.addInitScript(() => {
    Object.assign(WebGL2RenderingContext.prototype, { getParameter: () => 'a graphics card' })
  })
}

/** Collects the URLs of the moving globe's files that the page requests. */
function collectGlobeRequests(page: Page): string[] {
  const requestedUrls: string[] = []
  page.on('request', (request) => {
    if (/globe-animation/.test(request.url())) {
      requestedUrls.push(request.url())
    }
  })

  return requestedUrls
}

/** Lists the moving globe's files that were requested before the page had loaded. */
function listRequestsBeforeLoad(page: Page) {
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

test('the globe starts as a still picture and moves in the same box once the page is idle, without a layout shift', async ({
  page,
}) => {
  test.slow()
  await pretendGraphicsCard(page)
  const listShifts = await recordShifts(page)
  await page.goto('/')
  await expect(globe(page)).toHaveAttribute('aria-hidden', 'true')
  await expect(globe(page).locator('img').first()).toBeAttached()

  const stillBox = await globe(page).boundingBox()
  if (stillBox === null) {
    throw new Error('The globe is hidden.')
  }

  await expect(globe(page)).toHaveAttribute('data-globe', 'moving', { timeout: 40_000 })
  await expect(globe(page).locator('canvas')).toBeVisible()
  expect(await globe(page).boundingBox()).toEqual(stillBox)
  expect(await listShifts()).toEqual([])
  expect(await listRequestsBeforeLoad(page)).toEqual([])

  // North America. An area of one color would mean that no map was drawn.
  const clip = {
    x: stillBox.x + stillBox.width * 0.25,
    y: stillBox.y + stillBox.height * 0.2,
    width: stillBox.width * 0.2,
    height: stillBox.height * 0.2,
  }
  await expect
    .poll(async () => (await sharp(await page.screenshot({ clip })).stats()).entropy, {
      timeout: 20_000,
    })
    .toBeGreaterThan(2)
})

test('the globe stays a still picture without a graphics card, under reduced motion and without WebGL', async ({
  page,
}) => {
  const requestedUrls = collectGlobeRequests(page)

  await page.goto('/')
  await waitUntilIdle(page)
  await expect(globe(page)).toHaveAttribute('data-globe', 'still')

  await pretendGraphicsCard(page)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.reload()
  await waitUntilIdle(page)
  await expect(globe(page)).toHaveAttribute('data-globe', 'still')

  // A browser without a graphics card gives no WebGL to a page that asks for no slow WebGL.
  await page.addInitScript(() => {
    const { getContext } = HTMLCanvasElement.prototype
    Object.assign(HTMLCanvasElement.prototype, {
      getContext(this: HTMLCanvasElement, type: 'webgl2', options?: WebGLContextAttributes) {
        const isRefused = options?.failIfMajorPerformanceCaveat === true
        return isRefused ? null : getContext.call(this, type, options)
      },
    })
  })
  // The open page would start its globe as soon as motion is allowed.
  await page.goto('about:blank')
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await page.goto('/')
  await waitUntilIdle(page)
  await expect(globe(page)).toHaveAttribute('data-globe', 'still')

  await page.addInitScript(() => {
    Object.assign(HTMLCanvasElement.prototype, { getContext: () => null })
  })
  await page.reload()
  await waitUntilIdle(page)
  await expect(globe(page)).toHaveAttribute('data-globe', 'still')
  await expect(globe(page).locator('img').first()).toBeVisible()
  expect(requestedUrls).toEqual([])
})

import type { Page } from '@playwright/test'
import { expect, test } from '../support/browser'
import { hydrated } from '../support/hydration'

/** What a page asked for, in its order, and whether it was painted before. */
async function listRequests(page: Page) {
  return page.evaluate(() => {
    const [paint] = performance.getEntriesByName('first-contentful-paint')
    const files = performance.getEntriesByType('resource').filter(({ name }) => /\/assets\/.*\.js$/.test(name))
    return files.map(({ name, startTime }) => ({
      name,
      afterPaint: paint !== undefined && startTime >= paint.startTime,
    }))
  })
}

for (const path of ['/', '/AllCourses', '/OneCourse', '/Login', '/SignUp'])
  test(`${path} asks for its scripts only after the first paint, once each`, async ({ page }) => {
    await page.goto(path)
    await hydrated(page)
    const requests = await listRequests(page)
    expect(requests.length).toBeGreaterThan(3)
    expect(requests.filter(({ afterPaint }) => !afterPaint)).toEqual([])
    expect(new Set(requests.map(({ name }) => name)).size).toBe(requests.length)
  })

test('a page that is opened in the background starts without a paint', async ({ page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(document, 'hidden', { value: true })
    PerformanceObserver.prototype.observe = () => {}
  })
  await page.goto('/AllCourses')
  await hydrated(page)
})

test('a browser that never reports a paint starts after the page has loaded', async ({ page }) => {
  await page.addInitScript(() => {
    PerformanceObserver.prototype.observe = () => {}
  })
  await page.goto('/AllCourses')
  await hydrated(page)
})

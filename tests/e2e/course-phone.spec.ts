import type { Page } from '@playwright/test'
import { expectToFit } from '../support/accessibility'
import { expect, test } from '../support/browser'

test.use({ viewport: { width: 390, height: 844 } })

const enrollButton = (page: Page) => page.getByRole('button', { name: 'Enroll Now' })

test('a phone has price and button in view, and nothing wider than the screen', async ({
  page,
}) => {
  await page.setViewportSize({ width: 320, height: 640 })
  await page.goto('/OneCourse')
  await expect(enrollButton(page)).toBeInViewport()

  for (const name of ['Overview', 'Curriculum', 'Instructor', 'Reviews']) {
    const tab = page.getByRole('tab', { name })
    await tab.click()

    await expect(tab).toHaveAttribute('aria-selected', 'true')
    await expect(enrollButton(page)).toBeInViewport()
    await expectToFit(page)
  }
})

test('on a phone the purchase bar lies above the tabs, and the number of reviews leads to them', async ({
  page,
}) => {
  await page.goto('/OneCourse/python-from-zero')

  await expect.poll(() => scrollTabsBehindPurchaseBar(page)).toBe('Enroll Now')

  await page.getByRole('link', { name: '(9,120 reviews)' }).click()

  const reviewsPanel = page.getByRole('tabpanel', { name: 'Reviews' })
  await expect(reviewsPanel).toBeFocused()
  await expect(reviewsPanel.getByRole('heading', { name: 'What learners say' })).toBeInViewport()
})

/**
 * Scrolls the tabs behind the purchase bar. Returns the text of what a tap on the button would hit.
 */
function scrollTabsBehindPurchaseBar(page: Page) {
  return page.evaluate(() => {
    const tabs = document.querySelector('[role=tablist]')?.getBoundingClientRect()
    window.scrollBy(0, (tabs?.bottom ?? 0) - window.innerHeight + 30)

    const button = document
      .querySelector('form[action="/Enrollments"] button')
      ?.getBoundingClientRect()
    const [left = 0, top = 0] = [button?.left, button?.top]
    return document.elementFromPoint(left + 20, top + 20)?.closest('button, a')?.textContent
  })
}

test('the heading of a page that a phone has partly loaded stays in its place when the rest arrives', async ({
  page,
}) => {
  const body = await (await page.request.get('/OneCourse')).text()
  const headerEnd = body.indexOf('</header>', body.indexOf('<h1'))
  const coverStart = body.indexOf('<img', body.indexOf('<aside'))
  expect(headerEnd).toBeGreaterThan(0)
  expect(coverStart).toBeGreaterThan(headerEnd)

  const top = await measureHeadingTop(page, body)

  for (const end of [headerEnd, coverStart]) {
    expect(await measureHeadingTop(page, body.slice(0, end))).toBeCloseTo(top)
  }
})

/** Opens the course page with this HTML, and returns the position of its heading. */
async function measureHeadingTop(page: Page, body: string): Promise<number> {
  await page.route('/OneCourse', (route) => route.fulfill({ body, contentType: 'text/html' }))
  await page.goto('/OneCourse')

  return page
    .getByRole('heading', { level: 1 })
    .evaluate((heading) => heading.getBoundingClientRect().top)
}

import type { Page, Request } from '@playwright/test'
import { expect, test } from '../support/browser'
import { signUpNewLearner } from '../support/sign-in'

const enroll = (page: Page) => page.getByRole('button', { name: 'Enroll Now' })
const enrolled = (page: Page) => page.getByRole('button', { name: '✓ Enrolled' })

test.describe('a visitor', () => {
  test('enrolls at once, without a request, and it survives a reload', async ({ page }) => {
    await page.goto('/OneCourse/python-from-zero')
    await expect(page.locator('[role=tab][tabindex="0"]')).toHaveCount(1)
    const requests: string[] = []
    // Parts of the page may still be on their way.
    const isPart = (request: Request) =>
      ['script', 'stylesheet', 'image', 'font'].includes(request.resourceType())
    page.on('request', (request) => isPart(request) || requests.push(request.url()))
    await enroll(page).click()
    await expect(enrolled(page)).toBeVisible()
    await expect(enrolled(page)).toBeFocused()
    await expect(enroll(page)).toHaveCount(0)
    expect(requests).toEqual([])
    await page.reload()
    await expect(enrolled(page)).toBeVisible()
    await page.goto('/OneCourse')
    await expect(enroll(page)).toBeVisible()
  })

  test('sees the right button before any script of the page has run', async ({ page, guard }) => {
    guard.allowConsoleError(/ERR_FAILED/)
    await page.goto('/OneCourse/python-from-zero')
    await enroll(page).click()
    await expect(enrolled(page)).toBeVisible()
    await page.route('**/assets/*.js', (route) => route.abort())
    await page.goto('/OneCourse/python-from-zero', { waitUntil: 'commit' })
    await expect(enrolled(page)).toBeVisible()
  })

  test('a broken entry in the browser does no harm', async ({ page }) => {
    await page.addInitScript(() => localStorage.setItem('enrollments', '{"waiting":'))
    await page.goto('/OneCourse')
    await enroll(page).click()
    await expect(enrolled(page)).toBeVisible()
  })

  test('takes the enrollment along into the account, in which it stays', async ({
    page,
    context,
  }) => {
    await page.goto('/OneCourse/typography-for-screens')
    await enroll(page).click()
    await expect(enrolled(page)).toBeVisible()
    await signUpNewLearner(page)
    const carried = page.waitForResponse(
      (response) => response.url().endsWith('/Enrollments') && response.ok(),
    )
    await page.reload()
    await carried
    await expect(page.getByText('This course is in your account.')).toBeVisible()
    expect(await storedCourses(page)).toEqual(['typography-for-screens'])

    await page.evaluate(() => localStorage.clear())
    await page.reload()
    await expect(enrolled(page)).toBeVisible()
    await context.clearCookies()
    await page.reload()
    await expect(enroll(page)).toBeVisible()
  })
})

test('a learner is enrolled in the account, at once and only once', async ({ page }) => {
  await page.goto('/AllCourses')
  await signUpNewLearner(page)
  await page.goto('/OneCourse')
  const stored = page.waitForResponse(
    (response) => response.url().endsWith('/Enrollments') && response.request().method() === 'POST',
  )
  await enroll(page).click()
  await expect(enrolled(page)).toBeVisible()
  expect((await stored).ok()).toBe(true)
  await enrolled(page).click()
  expect(await storedCourses(page)).toEqual(['complete-web-development'])
})

test('a connection that fails loses no enrollment', async ({ page, guard }) => {
  guard.allowConsoleError(/ERR_FAILED/)
  await page.goto('/AllCourses')
  await signUpNewLearner(page)
  await page.goto('/OneCourse')
  await page.route('**/Enrollments', (route) => route.abort())
  const failed = page.waitForEvent('requestfailed', (request) =>
    request.url().endsWith('/Enrollments'),
  )
  await enroll(page).click()
  await expect(enrolled(page)).toBeVisible()
  await failed
  // Before the connection is back: the next try may come at once.
  const stored = page.waitForResponse(
    (response) => response.url().endsWith('/Enrollments') && response.request().method() === 'POST',
  )
  await page.unroute('**/Enrollments')
  await page.reload()
  expect((await stored).ok()).toBe(true)
  await expect(enrolled(page)).toBeVisible()
  expect(await storedCourses(page)).toEqual(['complete-web-development'])
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('a visitor who enrolls is asked to sign in', async ({ page }) => {
    await page.goto('/OneCourse/python-from-zero')
    await enroll(page).click()
    await expect(page).toHaveURL('/Login?from=%2FOneCourse%2Fpython-from-zero')
  })

  test('a learner who enrolls is shown their courses', async ({ page }) => {
    await signUpNewLearner(page)
    await page.goto('/OneCourse/python-from-zero')
    await enroll(page).click()
    await expect(page).toHaveURL('/Profile/current-courses')
    expect(await storedCourses(page)).toEqual(['python-from-zero'])
  })
})

async function storedCourses(page: Page): Promise<string[]> {
  return (await (await page.request.get('/viewer')).json()).enrolled
}

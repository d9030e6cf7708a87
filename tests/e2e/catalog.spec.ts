import type { Page } from '@playwright/test'
import { expect, test } from '../support/browser'
import { delayRequests } from '../support/delay-requests'

const search = (page: Page) => page.getByRole('combobox', { name: 'Search courses' })
const category = (page: Page) => page.getByRole('combobox', { name: 'Category' })
const level = (page: Page) => page.getByRole('combobox', { name: 'Level' })
const count = (page: Page) => page.getByRole('status')
const cards = (page: Page) => page.getByRole('main').getByRole('article')

test('shows all twelve courses, each with everything that the specification names', async ({
  page,
}) => {
  await page.goto('/AllCourses')
  await expect(page).toHaveTitle('All courses · Learnify')
  await expect(count(page)).toHaveText('Showing 12 courses')
  await expect(cards(page)).toHaveCount(12)
  const card = cards(page).first()
  for (const text of [
    'Python from Zero',
    'Amara Okafor',
    '4.7',
    '(9,120 reviews)',
    '32 hours',
    '38,214 students',
    '$89',
  ]) {
    await expect(card).toContainText(text)
  }

  await expect(card).toContainText('Technology')
  await expect(card).toContainText('Beginner')
  await expect(card).toContainText('A first programming course in Python.')
  await expect(
    card.getByRole('img', { name: 'Rated 4.7 out of 5' }).locator('[data-star=whole]'),
  ).toHaveCount(4)
  await expect(
    card.getByRole('img', { name: 'Rated 4.7 out of 5' }).locator('[data-star=empty]'),
  ).toHaveCount(1)
  await expect
    .poll(() => card.locator('img').evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(0)
})

test('offers the categories and levels of the specification', async ({ page }) => {
  await page.goto('/AllCourses')
  await expect(category(page).getByRole('option')).toHaveText([
    'All Categories',
    'Technology',
    'Design',
    'Business',
    'Marketing',
    'Photography',
  ])

  await expect(level(page).getByRole('option')).toHaveText([
    'All Levels',
    'Beginner',
    'Intermediate',
    'Advanced',
  ])
})

test('opens a course by a click anywhere on its card, and by one link only', async ({ page }) => {
  await page.goto('/AllCourses')
  const card = cards(page).filter({ hasText: 'Typography for Screens' })
  await expect(card.getByRole('link')).toHaveCount(1)
  await card.click({ position: { x: 30, y: 60 } })
  await expect(page).toHaveURL('/OneCourse/typography-for-screens')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Typography for Screens')
})

test('results follow typing, keep the focus and lose no letter', async ({ page }) => {
  await page.goto('/AllCourses')
  await search(page).pressSequentially('python from zero', { delay: 60 })
  await expect(count(page)).toHaveText('Showing 1 course')
  await expect(search(page)).toBeFocused()
  await expect(search(page)).toHaveValue('python from zero')
  await expect(page).toHaveURL('/AllCourses?q=python+from+zero')
})

test('letters typed while results are slow to arrive stay', async ({ page }) => {
  await page.goto('/AllCourses')
  const release = await delayRequests(page, '**/AllCourses.data*')
  await search(page).pressSequentially('phot')
  await expect(page.locator('[aria-busy=true]')).toBeVisible()
  await search(page).pressSequentially('ography')
  release()
  await expect(count(page)).toHaveText('Showing 1 course')
  await expect(search(page)).toHaveValue('photography')
  await expect(page).toHaveURL('/AllCourses?q=photography')
})

test('search, category and level combine, and the address keeps them', async ({ page }) => {
  await page.goto('/AllCourses')
  await category(page).selectOption('Design')
  await expect(count(page)).toHaveText('Showing 3 courses')
  await level(page).selectOption('Advanced')
  await expect(count(page)).toHaveText('Showing 1 course')
  await search(page).fill('typography')
  await expect(count(page)).toHaveText('Showing 0 courses')
  await expect(page).toHaveURL('/AllCourses?q=typography&category=design&level=advanced')
  await page.reload()
  await expect(count(page)).toHaveText('Showing 0 courses')
  await expect(search(page)).toHaveValue('typography')
  await expect(category(page)).toHaveValue('design')
  await expect(level(page)).toHaveValue('advanced')
})

test('back and forward show the earlier results and inputs', async ({ page }) => {
  await page.goto('/AllCourses')
  await category(page).selectOption('Business')
  await expect(count(page)).toHaveText('Showing 3 courses')
  await search(page).pressSequentially('strategy', { delay: 40 })
  await expect(page).toHaveURL('/AllCourses?q=strategy&category=business')
  await page.goBack()
  await expect(count(page)).toHaveText('Showing 3 courses')
  await expect(search(page)).toHaveValue('')
  await page.goBack()
  await expect(count(page)).toHaveText('Showing 12 courses')
  await expect(category(page)).toHaveValue('all')
  await page.goForward()
  await page.goForward()
  await expect(search(page)).toHaveValue('strategy')
  await expect(category(page)).toHaveValue('business')
})

test('going back right after typing wins over what was typed', async ({ page }) => {
  const start = Date.UTC(2026, 0, 1)
  await page.clock.install({ time: start })
  await page.goto('/AllCourses')
  await category(page).selectOption('Business')
  await expect(count(page)).toHaveText('Showing 3 courses')
  await page.clock.pauseAt(start + 3_600_000)
  await search(page).press('z')
  await page.evaluate(() => history.back())
  await expect(search(page)).toHaveValue('')
  await expect(count(page)).toHaveText('Showing 12 courses')
  await page.clock.runFor(10_000)
  await expect(page).toHaveURL('/AllCourses')
  await expect(search(page)).toHaveValue('')
})

test('a search survives a look at a course', async ({ page }) => {
  await page.goto('/AllCourses?q=design')
  await cards(page).first().getByRole('link').click()
  await expect(page).toHaveURL(/OneCourse/)
  await page.goBack()
  await expect(search(page)).toHaveValue('design')
})

test('an empty result says what to do and leads back to all courses', async ({ page }) => {
  await page.goto('/AllCourses?q=zzz')
  await expect(page.getByText('No courses found')).toBeVisible()
  await expect(page.getByText('Try adjusting your search terms or filters')).toBeVisible()
  await page.getByRole('link', { name: 'Clear filters' }).click()
  await expect(count(page)).toHaveText('Showing 12 courses')
  await expect(search(page)).toHaveValue('')
  await expect(page).toHaveURL('/AllCourses')
})

test('unknown values in the address count as all', async ({ page }) => {
  await page.goto('/AllCourses?category=music&level=expert')
  await expect(count(page)).toHaveText('Showing 12 courses')
  await expect(category(page)).toHaveValue('all')
})

test('characters that a database could misread are only characters', async ({ page }) => {
  for (const characters of ['%', '_', "' or 1=1 --", '<script>alert(1)</script>']) {
    await page.goto(`/AllCourses?q=${encodeURIComponent(characters)}`)
    await expect(count(page)).toHaveText('Showing 0 courses')
    await expect(search(page)).toHaveValue(characters)
  }
})

test('works by keyboard alone', async ({ page }) => {
  await page.goto('/AllCourses')
  await search(page).focus()
  await page.keyboard.type('photo')
  await page.keyboard.press('Enter')
  await expect(count(page)).toHaveText('Showing 1 course')
  await page.keyboard.press('Tab')
  await expect(category(page)).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  // The filters beside the list.
  await expect(page.getByRole('checkbox').first()).toBeFocused()
  await page.getByRole('link', { name: 'Clear filters' }).focus()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('combobox', { name: 'Sort by' })).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(cards(page).first().getByRole('link')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/OneCourse/photography-light-and-composition')
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('is a form with a button, and keeps what was chosen', async ({ page }) => {
    await page.goto('/AllCourses')
    await search(page).fill('e')
    await category(page).selectOption('Design')
    await level(page).selectOption('Beginner')
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    await expect(page).toHaveURL('/AllCourses?q=e&category=design&level=beginner')
    await expect(count(page)).toHaveText('Showing 1 course')
    await expect(category(page)).toHaveValue('design')
    await cards(page).first().getByRole('link').click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(
      'Interface Design Fundamentals',
    )
  })
})

test('nothing moves while it loads, and nothing is wider than a small phone', async ({
  page,
  guard,
}) => {
  // Without the font, as in `every-page.spec.ts`.
  guard.allowConsoleError(/ERR_FAILED/)
  await page.route('**/*.woff2', (route) => route.abort())
  await page.setViewportSize({ width: 320, height: 700 })
  await page.goto('/AllCourses')
  await expect(cards(page)).toHaveCount(12)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
  expect(await layoutShift(page)).toBe(0)
})

test('a title of one long word stays on a small phone', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 700 })
  await page.goto('/AllCourses')
  const title = cards(page).first().getByRole('heading').getByRole('link')
  await title.evaluate((link) => {
    link.textContent = 'W'.repeat(80)
  })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
})

function layoutShift(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let sum = 0
        const observer = new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) {
            sum += (entry as PerformanceEntry & { value: number }).value
          }
        })

        observer.observe({ type: 'layout-shift', buffered: true })
        requestAnimationFrame(() => requestAnimationFrame(() => resolve(sum)))
      }),
  )
}

import type { Page } from '@playwright/test'
import { expectToFit } from '../support/accessibility'
import { expect, test } from '../support/browser'
import { delayRequests } from '../support/delay-requests'
import { waitForLayout } from '../support/hydration'

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
    'A first programming course in Python.',
    'Amara Okafor',
    '4.7',
    '(9,120 reviews)',
    '32 hours',
    '38,214 students',
    '$89',
    'Technology',
    'Beginner',
  ]) {
    await expect(card).toContainText(text)
  }

  const rating = card.getByRole('img', { name: 'Rated 4.7 out of 5' })
  await expect(rating.locator('[data-star=whole]')).toHaveCount(4)
  await expect(rating.locator('[data-star=empty]')).toHaveCount(1)

  await expect
    .poll(() => card.locator('img').evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(0)

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
  const release = await delayRequests(page, '**/*.data*')

  await search(page).pressSequentially('phot')
  await expect(page.locator('[aria-busy=true]')).toBeVisible()
  await expect(page.locator('[data-navigation-line]')).toHaveCSS('opacity', '1')

  await search(page).pressSequentially('ography')
  release()

  await expect(page).toHaveURL('/AllCourses?q=photography')
  await expect(count(page)).toHaveText('Showing 1 course')
  await expect(page.locator('[data-navigation-line]')).toHaveCount(0)
  await expect(search(page)).toHaveValue('photography')
  await expect(search(page)).toBeFocused()
})

test('search, category and level combine, and the address keeps them', async ({ page }) => {
  await page.goto('/AllCourses')

  await category(page).selectOption('Design')
  await expect(count(page)).toHaveText('Showing 3 courses')

  await level(page).selectOption('Advanced')
  await expect(count(page)).toHaveText('Showing 1 course')

  await search(page).fill('<script>alert(1)</script>')
  await expect(count(page)).toHaveText('Showing 0 courses')

  await page.reload()
  await expect(count(page)).toHaveText('Showing 0 courses')
  await expect(search(page)).toHaveValue('<script>alert(1)</script>')
  await expect(category(page)).toHaveValue('design')
  await expect(level(page)).toHaveValue('advanced')
})

test('an empty result says what to do and leads back to all courses', async ({ page }) => {
  await page.goto('/AllCourses?q=zzz')
  await expect(page.getByText('No courses found')).toBeVisible()
  await expect(page.getByText('Try adjusting your search terms or filters')).toBeVisible()

  await page.getByRole('link', { name: 'Clear filters' }).click()

  await expect(page).toHaveURL('/AllCourses')
  await expect(count(page)).toHaveText('Showing 12 courses')
  await expect(search(page)).toHaveValue('')
})

test('back and forward show the earlier results and inputs', async ({ page }) => {
  await page.goto('/AllCourses')
  await category(page).selectOption('Business')
  await expect(count(page)).toHaveText('Showing 3 courses')

  await search(page).pressSequentially('str')
  await expect(cards(page).first().locator('mark').first()).toHaveText(/^str/i)

  await search(page).pressSequentially('ategy')
  await expect(page).toHaveURL('/AllCourses?q=strategy&category=business')

  await cards(page).first().getByRole('link').click()
  await expect(page).toHaveURL(/OneCourse/)

  await page.goBack()
  await expect(page).toHaveURL('/AllCourses?q=strategy&category=business')
  await expect(search(page)).toHaveValue('strategy')

  await page.goBack()
  await expect(count(page)).toHaveText('Showing 3 courses')
  await expect(search(page)).toHaveValue('')

  await page.goBack()
  await expect(count(page)).toHaveText('Showing 12 courses')
  await expect(category(page)).toHaveValue('all')

  await page.goForward()
  await expect(category(page)).toHaveValue('business')

  await page.goForward()
  await expect(search(page)).toHaveValue('strategy')
  await expect(category(page)).toHaveValue('business')
})

test('going back right after typing discards the typed text', async ({ page }) => {
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

test('works by keyboard alone', async ({ page }) => {
  await page.goto('/AllCourses')
  await search(page).focus()
  await page.keyboard.type('photo')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/AllCourses?q=photo')
  await expect(count(page)).toHaveText('Showing 1 course')

  await page.keyboard.press('Tab')
  await expect(category(page)).toBeFocused()

  await page.keyboard.press('Tab')
  await expect(level(page)).toBeFocused()

  await page.keyboard.press('Tab')
  const firstFilter = page.getByRole('checkbox').first()
  await expect(firstFilter).toBeFocused()

  await page.getByRole('link', { name: 'Clear filters' }).focus()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('combobox', { name: 'Sort by' })).toBeFocused()

  await page.keyboard.press('Tab')
  await expect(cards(page).first().getByRole('link')).toBeFocused()

  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/OneCourse/photography-light-and-composition')
})

test('a title of one long word fits a small phone', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 700 })
  await page.goto('/AllCourses')
  const title = cards(page).first().getByRole('heading').getByRole('link')

  await title.evaluate((link) => {
    link.textContent = 'W'.repeat(80)
  })

  await waitForLayout(page)

  await expectToFit(page)
})

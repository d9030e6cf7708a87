import type { Page } from '@playwright/test'
import { expect, test } from '../support/browser'
import { delayRequests } from '../support/delay-requests'
import { signInAsDemo, signUpNewLearner } from '../support/sign-in'

const sidebar = (page: Page) => page.getByRole('navigation', { name: 'Profile' })
const figure = (page: Page, label: string) =>
  page.locator('dl > div').filter({ hasText: label }).locator('dd')
/** Returns the value beside a label in a list of details. */
const detail = (page: Page, label: string) =>
  page.locator('dt', { hasText: new RegExp(`^${label}$`) }).locator('xpath=following-sibling::dd')

/** Opens a section by the sidebar, and expects that the section has a URL of its own. */
async function openSection(page: Page, name: string): Promise<void> {
  const link = sidebar(page).getByRole('link', { name, exact: true })
  await link.click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(name)
  await expect(page).toHaveURL(`/Profile/${name.toLowerCase().replace(' ', '-')}`)
  await expect(page).toHaveTitle(`${name} · Learnify`)
  await expect(link).toHaveAttribute('aria-current', 'page')
}

test.describe('the demo learner', () => {
  test.beforeEach(({ page }) => signInAsDemo(page))

  test('goes through the six sections, which show the sample history', async ({ page }) => {
    test.slow()
    await page.goto('/Profile')
    await expect(sidebar(page).getByRole('link')).toHaveText([
      'Overview',
      'Personal Info',
      'Current Courses',
      'Exam Scores',
      'Achievements',
      'Settings',
    ])

    await expect(figure(page, 'Total Courses')).toHaveText('5')
    await expect(figure(page, 'Completed')).toHaveText('2')
    await expect(figure(page, 'Certificates')).toHaveText('2')
    await expect(figure(page, 'Study Hours')).toHaveText('127')
    await expect(page.getByRole('region', { name: 'Streak' })).toContainText('12 days')
    await expect(
      page.getByRole('progressbar', { name: 'Progress in Data Structures and Algorithms' }),
    ).toHaveAttribute('aria-valuenow', '75')

    await page.getByText('Show as a table').click()
    await expect(
      page.getByRole('table', { name: 'Study time per day' }).getByRole('row'),
    ).toHaveCount(29)

    await page.getByText(/^Show \d+ more$/).click()
    await expect(
      page.getByText('Earned the certificate for Interface Design Fundamentals'),
    ).toBeVisible()

    await openSection(page, 'Personal Info')

    await openSection(page, 'Current Courses')
    const courses = page.getByRole('main').getByRole('article')
    await expect(courses).toHaveCount(5)

    const course = courses.filter({ hasText: 'Data Structures and Algorithms' })
    await expect(course.getByRole('heading')).toHaveText('Data Structures and Algorithms')
    await expect(course).toContainText('Hiroshi Tanaka')
    await expect(course).toContainText(/\d+%/)
    await expect(course).toContainText(/\d+ of \d+ lessons/)
    await expect(course).toContainText(/Last opened /)
    await expect(course.getByRole('progressbar')).toHaveAttribute('aria-valuenow', /^\d+$/)

    await openSection(page, 'Exam Scores')
    const results = page.getByRole('table', { name: 'Exam results' }).getByRole('row')
    await expect(results).toHaveCount(7)

    for (const grade of ['excellent', 'good', 'average']) {
      await expect(results.filter({ hasText: grade })).not.toHaveCount(0)
    }
    await expect(results.filter({ hasText: '8/8' })).toContainText('100%')

    await openSection(page, 'Achievements')
    await expect(page.getByRole('main').getByRole('heading', { level: 2 })).toHaveText([
      'First Certificate',
      'Bookworm',
      'High Achiever',
      'Consistent Learner',
      'Code Master',
      'Fast Learner',
      'Certificates',
    ])

    const achievements = page.getByRole('listitem')
    await expect(achievements.filter({ hasText: 'First Certificate' })).toContainText('Earned')
    await expect(achievements.filter({ hasText: 'Bookworm' })).toContainText('21 of 50 lessons')

    await openSection(page, 'Settings')
    await page.goBack()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Achievements')
  })

  test('sees the loading text until the session is known, and no cache keeps the page', async ({
    page,
  }) => {
    const response = await page.request.get('/Profile')
    expect(response.headers()['cache-control']).toBe('no-store')

    const html = await response.text()
    expect(html).toContain('Loading Learnify...')
    expect(html).not.toContain(' style=')

    const releaseSession = await delayRequests(page, '**/viewer')
    await page.goto('/Profile', { waitUntil: 'commit' })
    await expect(page.getByRole('status').filter({ hasText: 'Loading Learnify...' })).toBeVisible()

    releaseSession()

    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Welcome back, Demo')
    await expect(page.getByText('Loading Learnify...')).toHaveCount(0)
  })

  test('on a phone, opens and closes the sidebar, which choosing a section closes as well', async ({
    page,
  }) => {
    await page.setViewportSize({ width: 390, height: 800 })
    await page.goto('/Profile')
    const toggle = page.getByRole('button', { name: 'Profile menu' })
    await expect(sidebar(page)).toBeHidden()

    await toggle.click()
    await expect(toggle).toHaveAttribute('aria-expanded', 'true')

    await sidebar(page).getByRole('link', { name: 'Exam Scores' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Exam Scores')
    await expect(sidebar(page)).toBeHidden()

    await toggle.focus()
    await page.keyboard.press('Enter')
    await expect(sidebar(page)).toBeVisible()

    await page.keyboard.press('Enter')
    await expect(sidebar(page)).toBeHidden()
  })

  test.describe('without scripts', () => {
    test.use({ javaScriptEnabled: false })

    test('reads the sections of the profile, and an unknown section leads back to them', async ({
      page,
      guard,
    }) => {
      guard.allowConsoleError(/404/)
      await page.goto('/Profile')
      await expect(page.getByText('Loading Learnify...')).toBeHidden()
      await expect(figure(page, 'Study Hours')).toHaveText('127')

      await sidebar(page).getByRole('link', { name: 'Exam Scores' }).click()
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Exam Scores')

      const response = await page.goto('/Profile/nope')
      expect(response?.status()).toBe(404)
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Section not found')

      await page.getByRole('link', { name: 'Go to Overview' }).click()
      await expect(page).toHaveURL('/Profile')
    })
  })
})

test('a new learner sees zeros, inviting empty states and only what was entered at sign-up', async ({
  page,
}) => {
  const learner = await signUpNewLearner(page)
  await page.goto('/Profile')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Welcome, Ada')

  for (const label of ['Total Courses', 'Completed', 'Certificates', 'Study Hours']) {
    await expect(figure(page, label)).toHaveText('0')
  }
  await expect(page.getByText('Start with a course')).toBeVisible()
  await expect(page.getByText('No activity yet')).toBeVisible()

  await openSection(page, 'Current Courses')
  await expect(page.getByText('You’re not enrolled in any courses yet')).toBeVisible()

  await openSection(page, 'Exam Scores')
  await expect(page.getByText('No exams taken yet')).toBeVisible()

  await openSection(page, 'Personal Info')
  await expect(page.getByRole('heading', { name: 'Ada Lovelace' })).toBeVisible()
  await expect(detail(page, 'First name')).toHaveText('Ada')
  await expect(detail(page, 'Last name')).toHaveText('Lovelace')
  await expect(detail(page, 'Email')).toHaveText(learner.email)

  for (const label of ['Phone', 'Location']) {
    await expect(detail(page, label)).toHaveText('Not provided')
  }
  await expect(page.getByText(/^Same as my browser/)).toBeVisible()
  await expect(detail(page, 'Member since')).toHaveText(/^[A-Z][a-z]+ \d{1,2}, \d{4}$/)
  await expect(detail(page, 'Signed up with')).toHaveText('Email and password')
})

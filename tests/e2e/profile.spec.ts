import type { Page } from '@playwright/test'
import { expect, test } from '../support/browser'
import { signInAsDemo, signUpNewLearner } from '../support/sign-in'

const sections = [
  'Overview',
  'Personal Info',
  'Current Courses',
  'Exam Scores',
  'Achievements',
  'Settings',
]
const sidebar = (page: Page) => page.getByRole('navigation', { name: 'Profile' })
const figure = (page: Page, label: string) =>
  page.locator('dl > div').filter({ hasText: label }).locator('dd')

test.describe('who may see the profile', () => {
  test('no cache may keep it, and it shows the loading text until the session is known', async ({
    page,
  }) => {
    await signInAsDemo(page)
    const response = await page.request.get('/Profile')
    expect(response.headers()['cache-control']).toBe('no-store')
    const html = await response.text()
    expect(html).toContain('Loading Learnify...')
    expect(html).not.toContain(' style=')

    const held: (() => void)[] = []
    await page.route('**/viewer', async (route) => {
      await new Promise<void>((resolve) => held.push(resolve))
      await route.continue()
    })
    await page.goto('/Profile', { waitUntil: 'commit' })
    await expect.poll(() => held.length).toBe(1)
    await expect(page.getByRole('status').filter({ hasText: 'Loading Learnify...' })).toBeVisible()
    for (const answer of held) {
      answer()
    }

    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Welcome back, Demo')
    await expect(page.getByText('Loading Learnify...')).toHaveCount(0)
  })
})

test.describe('the demo learner', () => {
  test.beforeEach(({ page }) => signInAsDemo(page))

  test('has the sample history in figures, courses and activities', async ({ page }) => {
    await page.goto('/Profile')
    await expect(figure(page, 'Total Courses')).toHaveText('5')
    await expect(figure(page, 'Completed')).toHaveText('2')
    await expect(figure(page, 'Certificates')).toHaveText('2')
    await expect(figure(page, 'Study Hours')).toHaveText('127')
    await expect(
      page.getByRole('progressbar', { name: 'Progress in Data Structures and Algorithms' }),
    ).toHaveAttribute('aria-valuenow', '75')
    await page.getByText(/^Show \d+ more$/).click()
    await expect(
      page.getByText('Earned the certificate for Interface Design Fundamentals'),
    ).toBeVisible()
  })

  test('goes through the six sections, each with an address of its own', async ({ page }) => {
    await page.goto('/Profile')
    await expect(sidebar(page).getByRole('link')).toHaveText(sections)
    for (const section of sections.slice(1)) {
      await sidebar(page).getByRole('link', { name: section }).click()
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(section)
      await expect(page).toHaveURL(`/Profile/${section.toLowerCase().replace(' ', '-')}`)
      await expect(page).toHaveTitle(`${section} · Learnify`)
      await expect(sidebar(page).getByRole('link', { name: section })).toHaveAttribute(
        'aria-current',
        'page',
      )
    }

    await page.goBack()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Achievements')
  })

  test('reads the study chart as a table, too', async ({ page }) => {
    await page.goto('/Profile')
    await page.getByText('Show as a table').click()
    await expect(
      page.getByRole('table', { name: 'Study time per day' }).getByRole('row'),
    ).toHaveCount(29)
    await expect(page.getByRole('region', { name: 'Streak' })).toContainText('12 days')
  })

  test('sees exam scores of all three grades', async ({ page }) => {
    await page.goto('/Profile/exam-scores')
    const rows = page.getByRole('table', { name: 'Exam results' }).getByRole('row')
    await expect(rows).toHaveCount(7)
    for (const grade of ['excellent', 'good', 'average']) {
      await expect(rows.filter({ hasText: grade })).not.toHaveCount(0)
    }

    await expect(rows.filter({ hasText: '8/8' })).toContainText('100%')
  })

  test('sees all achievements with their rules, earned or with how far it is', async ({ page }) => {
    await page.goto('/Profile/achievements')
    const names = [
      'First Certificate',
      'Bookworm',
      'High Achiever',
      'Consistent Learner',
      'Code Master',
      'Fast Learner',
    ]

    await expect(page.getByRole('main').getByRole('heading', { level: 2 })).toHaveText([
      ...names,
      'Certificates',
    ])
    await expect(page.getByRole('listitem').filter({ hasText: 'First Certificate' })).toContainText(
      'Earned',
    )
    await expect(page.getByRole('listitem').filter({ hasText: 'Bookworm' })).toContainText(
      '21 of 50 lessons',
    )
  })

  test('meets a wrong address of the profile with a way back', async ({ page, guard }) => {
    guard.allowConsoleError(/404/)
    const response = await page.goto('/Profile/nope')
    expect(response?.status()).toBe(404)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Section not found')
    await page.getByRole('link', { name: 'Go to Overview' }).click()
    await expect(page).toHaveURL('/Profile')
  })

  test('works without JavaScript', async ({ page, browser, baseURL }) => {
    const context = await browser.newContext({ javaScriptEnabled: false, baseURL })
    await context.addCookies(await page.context().cookies())
    const plain = await context.newPage()
    await plain.goto('/Profile')
    await expect(plain.getByText('Loading Learnify...')).toBeHidden()
    await expect(figure(plain, 'Study Hours')).toHaveText('127')
    await sidebar(plain).getByRole('link', { name: 'Exam Scores' }).click()
    await expect(plain.getByRole('heading', { level: 1 })).toHaveText('Exam Scores')
    await context.close()
  })

  test('opens and closes the sidebar on a phone, and choosing a section closes it', async ({
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
})

test.describe('a new learner', () => {
  test('sees zeros and inviting empty states, and nobody else’s data', async ({ page }) => {
    await signUpNewLearner(page)
    await page.goto('/Profile')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Welcome, Ada')
    for (const label of ['Total Courses', 'Completed', 'Certificates', 'Study Hours']) {
      await expect(figure(page, label)).toHaveText('0')
    }

    await expect(page.getByText('Start with a course')).toBeVisible()
    await expect(page.getByText('No activity yet')).toBeVisible()
    await page.goto('/Profile/current-courses')
    await expect(page.getByText('You’re not enrolled in any courses yet')).toBeVisible()
    await page.goto('/Profile/exam-scores')
    await expect(page.getByText('No exams taken yet')).toBeVisible()
    await page.goto('/Profile/personal-info')
    await expect(page.getByText('Not provided')).toHaveCount(2)
    await expect(page.getByText(/^Same as my browser/)).toBeVisible()
  })

  test('is asked before signing out, and is then on the home page', async ({ page }) => {
    await signUpNewLearner(page)
    await page.goto('/Profile')
    const logout = page.getByRole('main').getByRole('button', { name: 'Logout' })
    await logout.click()
    const dialog = page.getByRole('dialog', { name: 'Are you sure you want to logout?' })
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(page).toHaveURL('/Profile')
    await logout.click()
    await dialog.getByRole('button', { name: 'Logout' }).click()
    await expect(page).toHaveURL('/')
    await page.goto('/Profile')
    await expect(page).toHaveURL(/\/Login/)
  })
})

import type { Page } from '@playwright/test'
import { expect, test } from '../support/browser'
import { signInAsDemo, signUpNewLearner } from '../support/sign-in'

const section = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Profile' }).getByRole('link', { name, exact: true })
/** What stands beside a label in a list of facts. */
const fact = (page: Page, label: string) =>
  page.locator('dt', { hasText: new RegExp(`^${label}$`) }).locator('xpath=following-sibling::dd')

test('a visitor may see every page except the profile, which asks to sign in', async ({ page }) => {
  for (const path of ['/', '/AllCourses', '/Login', '/SignUp', '/OneCourse', '/Instructor']) {
    const response = await page.request.get(path, { maxRedirects: 0 })
    expect(response.status(), path).toBe(200)
  }

  await page.goto('/Profile')
  await expect(page).toHaveURL(/\/Login$/)
})

test('a learner may see every page, the profile too', async ({ page }) => {
  await signInAsDemo(page)
  for (const path of [
    '/',
    '/AllCourses',
    '/Login',
    '/SignUp',
    '/OneCourse',
    '/Instructor',
    '/Profile',
  ]) {
    const response = await page.request.get(path, { maxRedirects: 0 })
    expect(response.status(), path).toBe(200)
  }
})

test('the personal info of a new learner is what was typed at sign-up; the rest is not provided', async ({
  page,
}) => {
  const learner = await signUpNewLearner(page)
  await page.goto('/Profile/personal-info')
  await expect(page.getByRole('heading', { name: 'Ada Lovelace' })).toBeVisible()
  await expect(fact(page, 'First name')).toHaveText('Ada')
  await expect(fact(page, 'Last name')).toHaveText('Lovelace')
  await expect(fact(page, 'Email')).toHaveText(learner.email)
  for (const label of ['Phone', 'Location']) {
    await expect(fact(page, label)).toHaveText('Not provided')
  }

  await expect(fact(page, 'Member since')).toHaveText(/^[A-Z][a-z]+ \d{1,2}, \d{4}$/)
  await expect(fact(page, 'Signed up with')).toHaveText('Email and password')
})

test('a record without a date of joining reads that the learner joined recently', async ({
  page,
}) => {
  await signInAsDemo(page)
  const { user } = await (await page.request.get('/account/session')).json()
  await page.route('**/Profile/personal-info.data*', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, body: (await response.text()).replace(user.createdAt, '') })
  })
  await page.goto('/Profile')
  await section(page, 'Personal Info').click()
  await expect(fact(page, 'Member since')).toHaveText('Recently joined')
})

test('an enrolled course shows its name, instructor, progress, lessons and when it was opened last', async ({
  page,
}) => {
  await signInAsDemo(page)
  await page.goto('/Profile/current-courses')
  const courses = page.getByRole('main').getByRole('article')
  await expect(courses).toHaveCount(5)
  const course = courses.filter({ hasText: 'Data Structures and Algorithms' })
  await expect(course.getByRole('heading')).toHaveText('Data Structures and Algorithms')
  await expect(course).toContainText('Hiroshi Tanaka')
  await expect(course).toContainText(/\d+%/)
  await expect(course).toContainText(/\d+ of \d+ lessons/)
  await expect(course).toContainText(/Last opened /)
  await expect(course.getByRole('progressbar')).toHaveAttribute('aria-valuenow', /^\d+$/)
})

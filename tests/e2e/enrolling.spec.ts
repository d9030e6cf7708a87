import type { Page, Request } from '@playwright/test'
import { createEmail, fillSignUpForm } from '../support/account-forms'
import { expect, test } from '../support/browser'
import { waitUntilSettled } from '../support/offline'
import { signUpNewLearner } from '../support/sign-in'

const courseUrl = '/OneCourse/python-from-zero'
const enrollButton = (page: Page) => page.getByRole('button', { name: 'Enroll Now' })
const enrolledButton = (page: Page) => page.getByRole('button', { name: '✓ Enrolled' })
const purchasePanel = (page: Page) =>
  page.getByRole('complementary', { name: 'Price and enrollment' })

/** Returns the ids of the courses in the learner's account. */
async function listStoredCourses(page: Page): Promise<string[]> {
  const response = await page.request.get('/viewer')
  return (await response.json()).enrolled
}

test.describe('a visitor', () => {
  test('enrolls at once, without a request, and it survives a reload', async ({ page, guard }) => {
    guard.allowConsoleError(/ERR_FAILED/)
    await page.goto(courseUrl)
    const requests: string[] = []
    // The page may still load its own files.
    const isPageFile = (request: Request) =>
      ['script', 'stylesheet', 'image', 'font'].includes(request.resourceType())
    page.on('request', (request) => isPageFile(request) || requests.push(request.url()))

    await enrollButton(page).click()
    await expect(enrolledButton(page)).toBeFocused()
    await expect(enrollButton(page)).toHaveCount(0)
    expect(requests.filter((url) => !url.includes('/__manifest'))).toEqual([])

    await page.reload()
    await expect(enrolledButton(page)).toBeVisible()

    await page.goto('/OneCourse')
    await expect(enrollButton(page)).toBeVisible()

    // The page knows the enrollment before any of its scripts has run.
    await waitUntilSettled(page)
    await page.route('**/assets/*.js', (route) => route.abort())
    await page.goto(courseUrl, { waitUntil: 'commit' })
    await expect(enrolledButton(page)).toBeVisible()
  })

  test('who enrolled creates an account and is in the first lesson', async ({ page }) => {
    await page.goto(courseUrl)
    await enrollButton(page).click()
    const signUpLink = purchasePanel(page).getByRole('link', {
      name: 'Create your account and start',
    })
    await expect(signUpLink).toHaveAttribute('href', '/SignUp?from=%2FLearn%2Fpython-from-zero')
    await expect(purchasePanel(page).getByText('$89')).toHaveCount(0)

    await signUpLink.click()
    await fillSignUpForm(page, createEmail())
    await page.getByRole('button', { name: 'Create Account' }).click()
    await expect(page).toHaveURL('/Learn/python-from-zero/names-and-values')
  })

  test('who signs in finds the wish, the course and its lesson in the account, where they stay', async ({
    page,
  }) => {
    const { email, password } = await signUpNewLearner(page)
    await page.context().clearCookies()
    await page.goto(courseUrl)
    await enrollButton(page).click()
    await expect(enrolledButton(page)).toBeVisible()

    await page.goto('/AllCourses')
    await expect(page.getByRole('link', { name: 'Login' })).toBeVisible()

    await page.getByRole('button', { name: 'Add to wish list: Typography for Screens' }).click()
    await expect(page).toHaveURL('/Login?from=%2FAllCourses&notice=wish')

    await page.goto('/Learn/python-from-zero')
    await expect(page).toHaveURL(`${courseUrl}?why=sign-in`)
    await expect(page.getByText('Sign in to start the lessons.')).toBeVisible()

    await page.getByRole('status').getByRole('link', { name: 'Sign in' }).first().click()
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Sign In', exact: true }).click()
    await expect(page).toHaveURL('/Learn/python-from-zero/names-and-values')

    await page.goto('/Profile/current-courses')
    const wishList = page.getByRole('region', { name: /Wish list/ })
    await expect(wishList.getByRole('link', { name: 'Typography for Screens' })).toBeVisible()
    expect(await listStoredCourses(page)).toEqual(['python-from-zero'])

    await page.evaluate(() => localStorage.clear())
    await page.goto(courseUrl)
    await expect(enrolledButton(page)).toBeVisible()

    await page.context().clearCookies()
    await page.reload()
    await expect(enrollButton(page)).toBeVisible()
  })
})

test('a learner’s course opens with the lessons and leads on, and can be left and taken up again', async ({
  page,
}) => {
  await signUpNewLearner(page)
  await page.goto(courseUrl)
  await enrollButton(page).click()
  await expect(enrolledButton(page)).toBeFocused()
  await expect(
    purchasePanel(page).getByRole('link', { name: 'Start', exact: true }),
  ).toHaveAttribute('href', '/Learn/python-from-zero/names-and-values')
  await expect(purchasePanel(page).getByText('$89')).toHaveCount(0)
  await expect(purchasePanel(page).getByRole('button', { name: /wish list/ })).toHaveCount(0)

  const lessons = page.getByRole('tabpanel', { name: 'Curriculum' })
  await expect(lessons.getByText('Preview', { exact: true })).toHaveCount(0)
  await expect(lessons.getByRole('link', { name: /^Final exam/ })).toHaveAttribute(
    'href',
    '/Exam/python-from-zero',
  )
  await expect(lessons.getByText('Certificate of completion')).toBeVisible()

  await page.getByRole('tab', { name: 'Overview' }).click()
  await expect(page).toHaveURL(`${courseUrl}?tab=overview`)

  await page.getByRole('tab', { name: 'Curriculum' }).click()
  await expect(page).toHaveURL(courseUrl)

  await lessons.getByRole('link', { name: 'Article: Text, Numbers and the Way Between' }).click()
  await expect(page).toHaveURL('/Learn/python-from-zero/text-numbers-and-conversion')

  await page.goto('/AllCourses')
  const card = page.getByRole('article').filter({ hasText: 'Python from Zero' })
  await expect(card.getByText('Enrolled 0%')).toBeVisible()
  await expect(card.getByText('$89')).toHaveCount(0)

  await page.goto(courseUrl)
  await page.getByRole('button', { name: 'Leave course' }).click()
  await expect(page.getByRole('button', { name: 'Undo' })).toBeFocused()
  await expect(enrollButton(page)).toBeVisible()

  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(enrolledButton(page)).toBeVisible()
  await expect(page.getByText('This course is in your account.')).toBeFocused()
})

test('a failed connection loses no enrollment of a learner, who is enrolled only once', async ({
  page,
  guard,
}) => {
  guard.allowConsoleError(/ERR_FAILED/)
  await signUpNewLearner(page)
  await page.goto('/OneCourse')
  await page.route('**/Enrollments', (route) => route.abort())
  const failedRequest = page.waitForEvent('requestfailed', (request) =>
    request.url().endsWith('/Enrollments'),
  )
  await enrollButton(page).click()
  await expect(enrolledButton(page)).toBeVisible()

  await failedRequest

  await page.unroute('**/Enrollments')
  await page.reload()
  await expect.poll(() => listStoredCourses(page)).toEqual(['complete-web-development'])

  await enrolledButton(page).click()
  await expect(enrolledButton(page)).toBeVisible()
  expect(await listStoredCourses(page)).toEqual(['complete-web-development'])
})

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false })

  test('a visitor who enrolls is asked to sign in, and a learner is shown their courses', async ({
    page,
  }) => {
    await page.goto(courseUrl)
    await enrollButton(page).click()
    await expect(page).toHaveURL('/Login?from=%2FOneCourse%2Fpython-from-zero')

    await signUpNewLearner(page)
    await page.goto(courseUrl)
    await enrollButton(page).click()
    await expect(page).toHaveURL('/Profile/current-courses')
    expect(await listStoredCourses(page)).toEqual(['python-from-zero'])
  })
})

import type { Page } from '@playwright/test'
import { createEmail, fillSignUpForm } from '../support/account-forms'
import { expect, test } from '../support/browser'
import { waitForHydration } from '../support/hydration'
import { confirmEmail, enrollIn, signUpNewLearner } from '../support/sign-in'

const address = '/OneCourse/python-from-zero'
const enroll = (page: Page) => page.getByRole('button', { name: 'Enroll Now' })
const enrolled = (page: Page) => page.getByRole('button', { name: '✓ Enrolled' })
const purchase = (page: Page) => page.getByRole('complementary', { name: 'Price and enrollment' })

test('a learner’s course opens with the lessons and leads on, and can be left and taken up again', async ({
  page,
}) => {
  await signUpNewLearner(page)
  await page.goto(address)
  await enroll(page).click()
  await expect(enrolled(page)).toBeFocused()
  await expect(purchase(page).getByRole('link', { name: 'Start', exact: true })).toHaveAttribute(
    'href',
    '/Learn/python-from-zero/names-and-values',
  )
  await expect(purchase(page).getByText('$89')).toHaveCount(0)
  await expect(purchase(page).getByRole('button', { name: /wish list/ })).toHaveCount(0)
  const lessons = page.getByRole('tabpanel', { name: 'Curriculum' })
  await expect(lessons.getByText('Preview', { exact: true })).toHaveCount(0)
  await expect(lessons.getByRole('link', { name: /^Final exam/ })).toHaveAttribute(
    'href',
    '/Exam/python-from-zero',
  )
  await expect(lessons.getByText('Certificate of completion')).toBeVisible()
  await page.getByRole('tab', { name: 'Overview' }).click()
  await expect(page).toHaveURL(`${address}?tab=overview`)
  await page.getByRole('tab', { name: 'Curriculum' }).click()
  await expect(page).toHaveURL(address)
  await lessons.getByRole('link', { name: 'Article: Text, Numbers and the Way Between' }).click()
  await expect(page).toHaveURL('/Learn/python-from-zero/text-numbers-and-conversion')

  await page.goto('/AllCourses')
  const card = page.getByRole('article').filter({ hasText: 'Python from Zero' })
  await expect(card.getByText('Enrolled 0%')).toBeVisible()
  await expect(card.getByText('$89')).toHaveCount(0)

  await page.goto(address)
  await page.getByRole('button', { name: 'Leave course' }).click()
  await expect(page.getByRole('button', { name: 'Undo' })).toBeFocused()
  await expect(enroll(page)).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(enrolled(page)).toBeVisible()
  await expect(page.getByText('This course is in your account.')).toBeFocused()
})

test('no price and no selling page is painted for a learner of the course, before any script of the page has run', async ({
  page,
  guard,
}) => {
  guard.allowConsoleError(/ERR_FAILED/)
  await signUpNewLearner(page)
  await enrollIn(page, 'python-from-zero')
  await page.goto(address)
  await expect(enrolled(page)).toBeVisible()
  await page.route('**/assets/*.js', (route) => route.abort())
  await page.goto(address, { waitUntil: 'commit' })
  await expect(enrolled(page)).toBeVisible()
  for (const text of [
    '$89',
    '9,120 reviews',
    'This course includes',
    'No account needed',
    'What you will learn',
  ]) {
    await expect(page.getByText(text).first()).toBeHidden()
  }

  await page.goto('/AllCourses', { waitUntil: 'commit' })
  const card = page.getByRole('article').filter({ hasText: 'Python from Zero' })
  await expect(card.getByText('$89')).toBeHidden()
})

test('a visitor who enrolled creates an account and is in the first lesson', async ({ page }) => {
  await page.goto(address)
  await enroll(page).click()
  const start = purchase(page).getByRole('link', { name: 'Create your account and start' })
  await expect(start).toHaveAttribute('href', '/SignUp?from=%2FLearn%2Fpython-from-zero')
  await expect(purchase(page).getByText('$89')).toHaveCount(0)
  await start.click()
  await fillSignUpForm(page, createEmail())
  await page.getByRole('button', { name: 'Create Account' }).click()
  await expect(page).toHaveURL('/Learn/python-from-zero/names-and-values')
})

test('what a visitor wanted is there after signing in: the wish, the course and its lesson', async ({
  page,
}) => {
  const { email, password } = await signUpNewLearner(page)
  await page.context().clearCookies()
  await page.goto(address)
  await enroll(page).click()
  await expect(enrolled(page)).toBeVisible()
  await page.goto('/OneCourse/typography-for-screens')
  await page.getByRole('button', { name: 'Add to wish list' }).click()
  await expect(page).toHaveURL('/Login?from=%2FOneCourse%2Ftypography-for-screens&notice=wish')
  await page.goto('/Learn/python-from-zero')
  await expect(page).toHaveURL(`${address}?why=sign-in`)
  await expect(page.getByText('Sign in to start the lessons.')).toBeVisible()
  await page.getByRole('status').getByRole('link', { name: 'Sign in' }).first().click()
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expect(page).toHaveURL('/Learn/python-from-zero/names-and-values')

  await page.goto('/OneCourse/typography-for-screens')
  await expect(page.getByRole('button', { name: 'Remove from wish list' })).toBeVisible()
})

test('on a phone the purchase bar lies above the tabs, and the number of reviews leads to them', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(address)
  await waitForHydration(page)
  const tapped = await page.evaluate(() => {
    const tabs = document.querySelector('[role=tablist]')?.getBoundingClientRect()
    window.scrollBy(0, (tabs?.bottom ?? 0) - window.innerHeight + 30)
    const button = document
      .querySelector('form[action="/Enrollments"] button')
      ?.getBoundingClientRect()
    const [left = 0, top = 0] = [button?.left, button?.top]

    return document.elementFromPoint(left + 20, top + 20)?.closest('button, a')?.textContent
  })

  expect(tapped).toBe('Enroll Now')
  await page.getByRole('link', { name: '(9,120 reviews)' }).click()
  const panel = page.getByRole('tabpanel', { name: 'Reviews' })
  await expect(panel).toBeFocused()
  await expect(panel.getByRole('heading', { name: 'What learners say' })).toBeInViewport()
})

test('a running exam is shown wherever its course is, and a learner’s phone has a bar of links but there', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const { email } = await signUpNewLearner(page)
  await confirmEmail(email)
  await enrollIn(page, 'python-from-zero')
  await enrollIn(page, 'typography-for-screens')
  const bar = page.getByRole('navigation', { name: 'Quick links' })
  const running = page.getByRole('link', { name: /^Exam running, \d+:\d\d left$/ })
  await page.goto('/Exam/python-from-zero')
  await page.getByRole('button', { name: /^Start/ }).click()
  await expect(page.getByRole('timer')).toBeVisible()
  await expect(bar).toHaveCount(0)
  await page.goto(address)
  await expect(running).toHaveAttribute('href', '/Exam/python-from-zero')
  await expect(running).toBeInViewport()
  await bar.getByRole('link', { name: 'Courses' }).click()
  await expect(running).toHaveCount(1)
  await bar.getByRole('link', { name: 'My learning' }).click()
  await expect(bar.getByRole('link', { name: 'My learning' })).toHaveAttribute(
    'aria-current',
    'page',
  )
  await expect(running).toHaveCount(1)

  await page.getByRole('button', { name: 'Leave course: Typography for Screens' }).click()
  const row = page.getByRole('article').filter({ hasText: 'Typography for Screens' })
  await expect(row).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(row).toHaveCount(1)
})

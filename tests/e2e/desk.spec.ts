import { expectAccessible } from '../support/accessibility'
import { expect, test } from '../support/browser'
import { startProductWithoutOwner } from '../support/desk-journey'
import { confirmEmail, signUpNewLearner } from '../support/sign-in'

const school = await startProductWithoutOwner()

test('an owner comes in by the link of the start, finds a learner, acts, brands the school, and lets a teacher in who sees one course', async ({
  page,
  browser,
  guard,
}) => {
  test.slow()
  // The browser logs pages with status 404.
  guard.allowConsoleError(/404/)
  const learner = await signUpNewLearner(await (await browser.newContext()).newPage(), {
    firstName: 'Katherine',
    lastName: 'Johnson',
  })
  const teachersPage = await (await browser.newContext()).newPage()
  const teacher = await signUpNewLearner(teachersPage, { firstName: 'Alan', lastName: 'Turing' })
  await confirmEmail(teacher.email, school.getFolder())

  await school.becomeOwner(page)
  await expect(page.getByRole('heading', { name: 'The last 30 days' })).toBeVisible()
  await expectAccessible(page)

  const desk = page.getByRole('navigation', { name: 'Desk' })
  await desk.getByRole('link', { name: 'People' }).click()
  await page.getByLabel('Name or email address').fill('johnson')
  await page.getByLabel('Name or email address').press('Enter')
  await page.getByRole('link', { name: 'Katherine Johnson' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Katherine Johnson')
  await page.getByText('Enroll in a course').click()
  await page.getByLabel('Course', { exact: true }).selectOption('python-from-zero')
  await page.getByRole('button', { name: 'Enroll', exact: true }).click()
  await expect(page.getByRole('status')).toHaveText('Enrolled in Python from Zero.')
  await expect(page.getByRole('link', { name: 'Python from Zero' })).toBeVisible()
  await expectAccessible(page)

  await desk.getByRole('link', { name: 'Staff' }).click()
  await page.getByText('Give somebody a role').click()
  await page.getByLabel('Email address of the account').fill(teacher.email)
  await page
    .getByRole('group', { name: 'Courses of a teacher' })
    .getByLabel('Python from Zero')
    .check()
  await page.getByRole('button', { name: 'Give the role' }).click()
  await expect(page.getByRole('status')).toHaveText('The account has the role of teacher.')
  await desk.getByRole('link', { name: 'Site', exact: true }).click()
  const part = (name: string) =>
    page
      .locator('details')
      .filter({ has: page.locator('summary').getByText(name, { exact: true }) })
  await part('Name').locator('summary').click()
  await page.getByLabel('Name of the school').fill('Harbor School')
  await part('Name').getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('link', { name: 'Harbor School, home' })).toBeVisible()
  await part('Accent color').locator('summary').click()
  await page.getByLabel('Color', { exact: true }).fill('#00797a')
  await page.getByLabel('In the dark theme', { exact: true }).fill('')
  await part('Accent color').getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('status')).toHaveText(/^Accent color: saved/)
  await expectAccessible(page)
  const visited = async () => (await teachersPage.request.get('/Terms')).text()
  await expect
    .poll(visited)
    .toMatch(/\/brand\/accent-1-00797a.*Terms and conditions · Harbor School/s)
  await part('Name').locator('summary').click()
  await part('Name').getByRole('button', { name: 'Undo the last change: Name' }).click()
  await expect(page.getByRole('link', { name: 'Learnify, home' })).toBeVisible()

  await desk.getByRole('link', { name: 'Audit' }).click()
  await expect(page.getByRole('row', { name: /Enrolled in Python from Zero/ })).toBeVisible()

  await teachersPage.goto('/')
  await teachersPage.getByRole('button', { name: 'Alan' }).click()
  await teachersPage.getByRole('link', { name: 'Desk' }).click()
  await expect(teachersPage.getByRole('heading', { level: 1 })).toHaveText('Courses')
  await teachersPage.getByRole('link', { name: 'Python from Zero' }).click()
  await teachersPage.getByRole('link', { name: 'All learners' }).click()
  await teachersPage.getByRole('link', { name: 'Katherine Johnson' }).click()
  await expect(teachersPage.getByRole('heading', { name: 'Lessons, and why' })).toBeVisible()
  await expect(teachersPage.getByText(learner.email)).toHaveCount(0)
  await teachersPage.goto('/Desk/People')
  await expect(teachersPage.getByText('We couldn’t find that page.')).toBeVisible()
})

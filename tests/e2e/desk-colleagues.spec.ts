import { readFile } from 'node:fs/promises'
import type { Browser, Page } from '@playwright/test'
import { expectAccessible } from '../support/accessibility'
import { expect, test } from '../support/browser'
import { startProductWithoutOwner } from '../support/desk-journey'
import { connectDatabase } from '../support/product'
import { confirmEmail, signUpNewLearner } from '../support/sign-in'

const school = await startProductWithoutOwner(() => ({ PAYMENTS: 'sample' }))

const course = 'python-from-zero'
const foreign = 'complete-web-development'

test('a manager imports a class and repairs its file, and a teacher answers a review of their only course', async ({
  page,
  browser,
  guard,
}) => {
  test.slow()
  // The browser logs pages with status 404.
  guard.allowConsoleError(/404/)
  const manager = await newColleague(browser, { firstName: 'Margaret', lastName: 'Hamilton' })
  const teacher = await newColleague(browser, { firstName: 'Alan', lastName: 'Turing' })

  await test.step('the owner lets both in', async () => {
    await school.becomeOwner(page)
    await page.goto('/Desk/Staff')
    await giveRole(page, { email: manager.email, role: 'manager' })
    await giveRole(page, { email: teacher.email, role: 'teacher', course })
  })

  await test.step('a long name of the school has room above every page', async () => {
    const name = 'The Harbor School of Navigation, Seamanship and Astronomy'
    await page.goto('/Desk/Site')
    const part = page
      .locator('details')
      .filter({ has: page.locator('summary').getByText('Name', { exact: true }) })
    await part.locator('summary').click()
    await part.getByLabel('Name of the school').fill(name)
    await part.getByRole('button', { name: 'Save' }).click()
    const bar = page.getByRole('banner')
    const heightOf = async (link: string) =>
      (await bar.getByRole('link', { name: link, exact: true }).boundingBox())?.height
    await page.setViewportSize({ width: 390, height: 844 })
    await expect.poll(() => heightOf(`${name}, home`)).toBeLessThanOrEqual(64)
    await page.setViewportSize({ width: 1280, height: 800 })
    await expect.poll(() => heightOf('Courses')).toBeLessThanOrEqual(44)
    await page.goto('/Desk/Site/History')
    await expect(page.getByRole('row', { name: /Harbor School/ })).toBeVisible()
    await expectAccessible(page)
  })

  const desk = manager.page
  await test.step('the manager imports the class, but does not see the staff', async () => {
    await desk.goto('/Desk')
    const sections = desk.getByRole('navigation', { name: 'Desk' })
    await expect(sections.getByRole('link', { name: 'Audit' })).toBeVisible()
    await expect(sections.getByRole('link', { name: 'Staff' })).toHaveCount(0)
    await desk.goto('/Desk/Staff')
    await expect(desk.getByText('We couldn’t find that page.')).toBeVisible()

    await desk.goto('/Desk/People/Import')
    await expectAccessible(desk)
    const rows = [
      `ada@class.example,Ada,Lovelace,${course}`,
      `grace@class.example,Grace,Hopper,${course}s`,
    ]
    await checkFile(desk, ['email,first_name,last_name,courses', ...rows].join('\r\n'))
    await expect(desk.getByRole('row', { name: /ada@class\.example/ })).toBeVisible()
    await expectAccessible(desk)
    await desk.getByRole('button', { name: 'Import 1 line' }).click()
    await expect(desk.getByText('Done', { exact: true })).toBeVisible()
    await expect(desk.getByRole('row', { name: /grace@class\.example/ })).toContainText(
      'No course has the ID',
    )
    await expectAccessible(desk)

    const downloading = desk.waitForEvent('download')
    await desk.getByRole('button', { name: 'Download as CSV' }).click()
    const failed = await readFile(await (await downloading).path(), 'utf8')
    await desk.goto('/Desk/People/Import')
    await checkFile(desk, failed.replace(`${course}s`, course))
    await desk.getByRole('button', { name: 'Import 1 line' }).click()
    await expect(desk.getByText('Done', { exact: true })).toBeVisible()
    await desk.goto(`/Desk/Courses/${course}/Learners`)
    for (const name of ['Ada Lovelace', 'Grace Hopper']) {
      await expect(desk.getByRole('link', { name })).toBeVisible()
    }
  })

  await test.step('every screen of the manager is for everybody', async () => {
    await desk.goto('/Desk/Audit?act=learners+import')
    await expect(desk.getByRole('row', { name: /learners import/ }).first()).toBeVisible()
    await expect(desk.getByLabel('What', { exact: true })).toBeVisible()
    await expectAccessible(desk)
    await desk.setViewportSize({ width: 390, height: 844 })
    await expect(desk.getByLabel('What', { exact: true })).toBeHidden()
    await desk.getByText('Filters (1 set)').click()
    await expect(desk.getByLabel('What', { exact: true })).toHaveValue('learners import')
    await expect(desk.getByLabel('What', { exact: true })).toBeVisible()
    await expectAccessible(desk)
    await desk.goto(`/Desk/Courses/${course}`)
    await desk.getByText('Change the price').click()
    await expectAccessible(desk)
    await desk.getByRole('link', { name: 'See it as a learner' }).click()
    await expect(desk.getByText('You see the course as a learner')).toBeVisible()
    await expectAccessible(desk)
    await desk.getByRole('link', { name: 'Questions of the exam' }).click()
    await expect(desk.getByRole('heading', { level: 1 })).toHaveText('Final exam: Python from Zero')
    await expectAccessible(desk)
    await desk.goto('/Desk/Coupons')
    await desk.getByText('Make a coupon').click()
    await expectAccessible(desk)
  })

  await test.step('the teacher answers by keyboard, and everybody reads it on the course page', async () => {
    const learner = await newColleague(browser, { firstName: 'Katherine', lastName: 'Johnson' })
    await insertReviews(learner.email, { [course]: 'Clear, and well paced.', [foreign]: 'Long.' })
    const screen = teacher.page
    await screen.goto('/Desk/Reviews')
    await expect(screen.getByText('Clear, and well paced.')).toBeVisible()
    await expect(screen.getByText('Long.')).toHaveCount(0)
    await screen.getByText('Answer as the instructor').focus()
    await screen.keyboard.press('Enter')
    await screen.keyboard.press('Tab')
    await expect(screen.getByLabel('Answer', { exact: true })).toBeFocused()
    await screen.keyboard.type('Thank you. The next edition has more exercises.')
    await screen.keyboard.press('Tab')
    await screen.keyboard.press('Enter')
    await expect(screen.getByText('The instructor’s answer')).toBeVisible()
    await expectAccessible(screen)

    const visitor = await (await browser.newContext()).newPage()
    await visitor.goto(`/OneCourse/${course}?tab=reviews&sort=newest`)
    const answered = visitor.getByRole('article').filter({ hasText: 'Answer by' })
    await expect(answered).toContainText('The next edition has more exercises.')
    await screen.goto(`/Desk/Courses/${foreign}`)
    await expect(screen.getByText('We couldn’t find that page.')).toBeVisible()
  })
})

/** Signs up a colleague with a confirmed address, in a browser context of their own. */
async function newColleague(browser: Browser, names: { firstName: string; lastName: string }) {
  const page = await (await browser.newContext()).newPage()
  const { email } = await signUpNewLearner(page, names)
  await confirmEmail(email, school.getFolder())

  return { page, email }
}

/** Stores reviews, as if the learner had completed enough of the courses. */
async function insertReviews(email: string, comments: Record<string, string>) {
  const database = await connectDatabase({ folder: school.getFolder() })
  await database.query(
    `insert into reviews (uid, course_id, id, rating, comment)
     select u.id, c.key, c.key, 4, c.value from users u, json_each_text($2) c where u.email = $1`,
    [email, comments],
  )

  await database.end()
}

async function giveRole(
  page: Page,
  { email, role, course }: { email: string; role: string; course?: string },
) {
  await page.getByText('Give somebody a role').click()
  await page.getByLabel('Email address of the account').fill(email)
  await page.getByLabel('Role', { exact: true }).selectOption(role)
  if (course) {
    await page
      .getByRole('group', { name: 'Courses of a teacher' })
      .locator(`[value="${course}"]`)
      .check()
  }

  await page.getByRole('button', { name: 'Give the role' }).click()
  await expect(page.getByRole('status')).toHaveText(`The account has the role of ${role}.`)
  // The new row shows that the page has reloaded, with its form closed.
  await expect(page.getByRole('row').filter({ hasText: email })).toBeVisible()
}

/** Uploads a table, and waits for the check. Nothing is imported yet. */
async function checkFile(page: Page, csv: string) {
  const file = { name: 'class.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) }
  await page.getByLabel('Table of people').setInputFiles(file)
  await page.getByRole('button', { name: 'Check the file' }).click()
  await expect(page.getByText('Waiting for you')).toBeVisible()
}

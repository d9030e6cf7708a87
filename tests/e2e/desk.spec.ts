import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expectAccessible } from '../support/accessibility'
import { expect, test } from '../support/browser'
import { startProductWithoutOwner } from '../support/desk-journey'

const school = await startProductWithoutOwner()
test.describe.configure({ mode: 'default' })

const course = 'python-from-zero'
const foreignCourse = 'complete-web-development'
const mathematician = { firstName: 'Katherine', lastName: 'Johnson' }
const heading = (page: Page) => page.getByRole('heading', { level: 1 })
const deskSections = (page: Page) => page.getByRole('navigation', { name: 'Desk' })

test('an owner comes in by the link of the start, enrolls a learner, brands the school, and gives a teacher a role', async ({
  page,
  browser,
}) => {
  test.slow()
  await school.signUpColleague(browser, mathematician)
  const teacher = await school.signUpColleague(browser, { firstName: 'Alan', lastName: 'Turing' })
  await school.becomeOwner(page)
  await expect(page.getByRole('heading', { name: 'The last 30 days' })).toBeVisible()
  await expectAccessible(page)

  const sections = deskSections(page)
  await test.step('the owner finds a learner and enrolls her', async () => {
    await sections.getByRole('link', { name: 'People' }).click()
    await page.getByLabel('Name or email address').fill('johnson')
    await page.getByLabel('Name or email address').press('Enter')
    // The list before the search has her, too, and is replaced by the one that was found.
    await expect(page.getByRole('link', { name: 'Alan Turing' })).toHaveCount(0)

    await page.getByRole('link', { name: 'Katherine Johnson' }).click()
    await expect(heading(page)).toHaveText('Katherine Johnson')

    await page.getByText('Enroll in a course').click()
    await page.getByLabel('Course', { exact: true }).selectOption(course)
    await page.getByRole('button', { name: 'Enroll', exact: true }).click()
    await expect(page.getByRole('status')).toHaveText('Enrolled in Python from Zero.')
    await expect(page.getByRole('link', { name: 'Python from Zero' })).toBeVisible()
    await expectAccessible(page)

    await sections.getByRole('link', { name: 'Audit' }).click()
    await expect(page.getByRole('row', { name: /Enrolled in Python from Zero/ })).toBeVisible()
  })

  await test.step('the owner gives a teacher the role', async () => {
    await sections.getByRole('link', { name: 'Staff' }).click()
    await page.getByText('Give somebody a role').click()
    await page.getByLabel('Email address of the account').fill(teacher.email)
    await page
      .getByRole('group', { name: 'Courses of a teacher' })
      .getByLabel('Python from Zero')
      .check()
    await page.getByRole('button', { name: 'Give the role' }).click()
    await expect(page.getByRole('status')).toHaveText('The account has the role of teacher.')

    await teacher.page.goto('/')
    await teacher.page.getByRole('button', { name: 'Alan' }).click()
    await teacher.page.getByRole('link', { name: 'Desk' }).click()
    await expect(heading(teacher.page)).toHaveText('Courses')
  })

  await test.step('every page has the name and the color of the school, also a long name', async () => {
    const name = 'The Harbor School of Navigation, Seamanship and Astronomy'
    await sections.getByRole('link', { name: 'Site', exact: true }).click()
    const sitePart = (part: string) =>
      page
        .locator('details')
        .filter({ has: page.locator('summary').getByText(part, { exact: true }) })
    await sitePart('Name').locator('summary').click()
    await page.getByLabel('Name of the school').fill(name)
    await sitePart('Name').getByRole('button', { name: 'Save' }).click()
    const measureHeight = async (link: string) =>
      (await page.getByRole('banner').getByRole('link', { name: link, exact: true }).boundingBox())
        ?.height
    await page.setViewportSize({ width: 390, height: 844 })
    await expect.poll(() => measureHeight(`${name}, home`)).toBeLessThanOrEqual(64)

    await page.setViewportSize({ width: 1280, height: 800 })
    await expect.poll(() => measureHeight('Courses')).toBeLessThanOrEqual(44)

    await sitePart('Accent color').locator('summary').click()
    await page.getByLabel('Color', { exact: true }).fill('#00797a')
    await page.getByLabel('In the dark theme', { exact: true }).fill('')
    await sitePart('Accent color').getByRole('button', { name: 'Save' }).click()
    await expect(page.getByRole('status')).toHaveText(/^Accent color: saved/)
    await expectAccessible(page)

    const readTerms = async () => (await teacher.page.request.get('/Terms')).text()
    await expect
      .poll(readTerms)
      .toMatch(/\/brand\/accent-1-00797a.*Terms and conditions · The Harbor School/s)

    await sitePart('Name').locator('summary').click()
    await sitePart('Name').getByRole('button', { name: 'Undo the last change: Name' }).click()
    await expect(page.getByRole('link', { name: 'Learnify, home' })).toBeVisible()

    await page.goto('/Desk/Site/History')
    await expect(page.getByRole('row', { name: /Harbor School/ }).first()).toBeVisible()
    await expectAccessible(page)
  })

  await test.step('the address of a new page becomes lower case as the owner types it', async () => {
    await page.goto('/Desk/Site/Pages/new')
    const address = page.getByLabel('Address', { exact: true })
    await address.pressSequentially('Us')
    await expect(address).toHaveValue('us')

    // The cursor stays where the owner types.
    await address.press('Home')
    await address.pressSequentially('About-')
    await expect(address).toHaveValue('about-us')

    await page.getByLabel('Title').fill('About us')
    await page.getByLabel('Text').fill('We teach sailing.')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page).toHaveURL('/Desk/Site/Pages/about-us')
  })
})

test('a manager imports a class and sees every screen but those of the owner', async ({
  browser,
}) => {
  test.slow()
  const names = { firstName: 'Margaret', lastName: 'Hamilton' }
  const { page, email } = await school.signUpColleague(browser, names)
  await school.giveRole(email, 'manager')
  await page.goto('/Desk')
  await expect(deskSections(page).getByRole('link', { name: 'Audit' })).toBeVisible()
  await expect(deskSections(page).getByRole('link', { name: 'Staff' })).toHaveCount(0)

  await page.goto('/Desk/Staff')
  await expect(page.getByText('We couldn’t find that page.')).toBeVisible()

  await test.step('the manager imports a class and downloads the lines to repair', async () => {
    const table = [
      'email,first_name,last_name,courses',
      `ada@class.example,Ada,Lovelace,${course}`,
      `grace@class.example,Grace,Hopper,${course}s`,
    ].join('\r\n')
    const file = { name: 'class.csv', mimeType: 'text/csv', buffer: Buffer.from(table) }
    await page.goto('/Desk/People/Import')
    await expectAccessible(page)

    await page.getByLabel('Table of people').setInputFiles(file)
    await page.getByRole('button', { name: 'Check the file' }).click()
    await expect(page.getByText('Waiting for you')).toBeVisible()
    await expect(page.getByRole('row', { name: /ada@class\.example/ })).toBeVisible()

    await page.getByRole('button', { name: 'Import 1 line' }).click()
    await expect(page.getByText('Done', { exact: true })).toBeVisible()
    await expect(page.getByRole('row', { name: /grace@class\.example/ })).toContainText(
      'No course has the ID',
    )
    await expectAccessible(page)

    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download as CSV' }).click()
    const failedLines = await readFile(await (await downloading).path(), 'utf8')
    expect(failedLines).toContain('grace@class.example')
    expect(failedLines).not.toContain('ada@class.example')

    await page.goto(`/Desk/Courses/${course}/Learners`)
    await expect(page.getByRole('link', { name: 'Ada Lovelace' })).toBeVisible()
  })

  await page.goto('/Desk/Audit?act=learners+import')
  await expect(page.getByRole('row', { name: /learners import/ }).first()).toBeVisible()
  await expect(page.getByLabel('What', { exact: true })).toBeVisible()

  await page.setViewportSize({ width: 390, height: 844 })
  await expect(page.getByLabel('What', { exact: true })).toBeHidden()

  await page.getByText('Filters (1 set)').click()
  await expect(page.getByLabel('What', { exact: true })).toHaveValue('learners import')
  await expect(page.getByLabel('What', { exact: true })).toBeVisible()
  await expectAccessible(page)

  await page.goto(`/Desk/Courses/${course}`)
  await page.getByText('Change the price').click()
  await expectAccessible(page)

  await page.getByRole('link', { name: 'See it as a learner' }).click()
  await expect(page.getByText('You see the course as a learner')).toBeVisible()
  await expectAccessible(page)

  await page.getByRole('link', { name: 'Questions of the exam' }).click()
  await expect(heading(page)).toHaveText('Final exam: Python from Zero')
  await expectAccessible(page)
})

test('a teacher sees one course and its learners only, and answers a review by keyboard', async ({
  browser,
}) => {
  const names = { firstName: 'Grace', lastName: 'Hopper' }
  const { page, email } = await school.signUpColleague(browser, names)
  await school.giveRole(email, 'teacher', [course])
  const learner = await school.signUpColleague(browser, mathematician)
  await enrollAndReview(learner.email)

  await page.goto(`/Desk/Courses/${course}/Learners`)
  await page.getByRole('link', { name: 'Katherine Johnson' }).first().click()
  await expect(page.getByRole('heading', { name: 'Lessons, and why' })).toBeVisible()
  await expect(page.getByText(learner.email)).toHaveCount(0)

  for (const closedPage of ['/Desk/People', `/Desk/Courses/${foreignCourse}`]) {
    await page.goto(closedPage)
    await expect(page.getByText('We couldn’t find that page.')).toBeVisible()
  }

  await page.goto('/Desk/Reviews')
  await expect(page.getByText('Clear, and well paced.')).toBeVisible()
  await expect(page.getByText('Long, and dry.')).toHaveCount(0)

  await page.getByText('Answer as the instructor').focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await expect(page.getByLabel('Answer', { exact: true })).toBeFocused()

  await page.keyboard.type('Thank you. The next edition has more exercises.')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByText('The instructor’s answer')).toBeVisible()
  await expectAccessible(page)

  await page.goto(`/OneCourse/${course}?tab=reviews&sort=newest`)
  await expect(page.getByRole('article').filter({ hasText: 'Answer by' })).toContainText(
    'The next edition has more exercises.',
  )
})

/** Enrolls a learner in the teacher's course, and stores reviews of it and of a foreign course. */
async function enrollAndReview(email: string) {
  await school.runQuery(
    'insert into enrollments (uid, course_id) select id, $2 from users where email = $1',
    [email, course],
  )
  const comments = { [course]: 'Clear, and well paced.', [foreignCourse]: 'Long, and dry.' }
  await school.runQuery(
    `insert into reviews (uid, course_id, id, rating, comment)
     select u.id, c.key, c.key, 4, c.value from users u, json_each_text($2) c where u.email = $1`,
    [email, comments],
  )
}

test('an announcement is written, tried, and sent to the learners of a course; one of them stops them', async ({
  browser,
}) => {
  test.slow()
  const { page, email } = await school.signUpColleague(browser, {
    firstName: 'Ada',
    lastName: 'Lovelace',
  })
  await school.giveRole(email, 'manager')
  const learner = await school.signUpColleague(browser, mathematician)
  await school.runQuery(
    'insert into enrollments (uid, course_id) select id, $2 from users where email = $1',
    [learner.email, 'three-knots'],
  )

  await page.goto('/Desk/Announcements')
  await page.getByRole('link', { name: 'New announcement' }).click()
  await page.getByLabel('Learners of').selectOption('three-knots')
  await page.getByLabel('Which of them').selectOption('away')
  await expect(page.getByLabel('For how many days')).toBeVisible()

  await page.getByLabel('Which of them').selectOption('all')
  await expect(page.getByLabel('For how many days')).toBeHidden()

  await page.getByLabel('Subject').fill('Office hours')
  await page.getByLabel('Text').fill('Come **on Thursday**.')
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Save and preview' }).click()
  await expect(heading(page)).toHaveText('Office hours')
  await expect(page.getByRole('article').getByText('on Thursday')).toBeVisible()

  await page.getByText('Send me a test').click()
  await page.getByRole('button', { name: 'Send the test' }).click()
  await expect(page.getByRole('status')).toHaveText('The test is on its way to your own address.')

  await page.getByText('Send now').click()
  await page.getByRole('button', { name: 'Send to 1 learner' }).click()
  const listAnnouncementsTo = (address: string) =>
    school.listEmailsTo(address).filter(({ subject }) => subject === 'Office hours')
  await expect.poll(() => listAnnouncementsTo(learner.email).length, { timeout: 60_000 }).toBe(1)

  const text = listAnnouncementsTo(learner.email)[0]?.text ?? ''
  expect(text).toContain('Come **on Thursday**.')
  await expect(page.getByText('Sent', { exact: true }).first()).toBeVisible()
  await expectAccessible(page)

  await learner.page.goto(/^http\S+StopReminders\S+$/m.exec(text)?.[0] ?? '')
  await learner.page.getByRole('button', { name: 'Stop announcements' }).click()
  await expect(heading(learner.page)).toHaveText('Announcements stopped')

  await learner.page.getByRole('link', { name: 'Go to settings' }).click()
  const choice = learner.page.getByLabel('Announcements of your courses and the school')
  await expect(choice).not.toBeChecked()

  await choice.check()
  await learner.page.getByRole('button', { name: 'Save announcements' }).click()
  await expect(learner.page.getByText('Announcements are on.')).toBeVisible()

  // The outbox, which sends the test, is emptied every ten seconds.
  await expect.poll(() => listAnnouncementsTo(email).length, { timeout: 60_000 }).toBe(1)
})

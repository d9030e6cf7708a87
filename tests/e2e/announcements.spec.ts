import type { Page } from '@playwright/test'
import { parseEmail } from '~/server/mail/dev-mailbox.server'
import { expectAccessible } from '../support/accessibility'
import { expect, test } from '../support/browser'
import { startProductWithoutOwner } from '../support/desk-journey'
import { connectDatabase } from '../support/product'
import { signUpNewLearner } from '../support/sign-in'
import { startSmtpServer } from '../support/smtp-server'

let smtp: Awaited<ReturnType<typeof startSmtpServer>> | undefined
const school = await startProductWithoutOwner(startSmtpSettings, readConfirmationLink)

async function startSmtpSettings() {
  smtp = await startSmtpServer()
  return { SMTP_URL: `smtp://127.0.0.1:${smtp.port}` }
}

/** Returns the link that confirms an email address, once its email has arrived. */
async function readConfirmationLink(_page: Page, email: string): Promise<string> {
  const findLink = () => {
    const message = smtp?.received.find(({ to }) => to.includes(email))
    const text = message ? parseEmail(message.source).text : ''
    return /http\S+\/ConfirmEmail\?token=[\w-]+/.exec(text)?.[0] ?? ''
  }
  await expect.poll(findLink).not.toBe('')

  return findLink()
}

test.afterAll(() => smtp?.stop())

/** The announcements to an address, oldest first. */
const sentTo = (email: string) =>
  (smtp?.received ?? [])
    .filter(({ to, source }) => to.includes(email) && source.includes('List-Unsubscribe'))
    .map(({ source }) => parseEmail(source))

test('an announcement is written, tried, and sent to the learners of a course; one of them stops them', async ({
  page,
  browser,
}) => {
  test.slow()
  const learnersPage = await (await browser.newContext()).newPage()
  const learner = await signUpNewLearner(learnersPage, {
    firstName: 'Katherine',
    lastName: 'Johnson',
  })

  const owner = await school.becomeOwner(page)

  const database = await connectDatabase({ folder: school.getFolder() })
  await database.query('update users set email_verified = true')
  await database.query(
    `insert into enrollments (uid, course_id) select id, 'python-from-zero' from users where email = $1`,
    [learner.email],
  )
  await database.end()

  await page
    .getByRole('navigation', { name: 'Desk' })
    .getByRole('link', { name: 'Announcements' })
    .click()
  await page.getByRole('link', { name: 'New announcement' }).click()
  await page.getByLabel('Learners of').selectOption('python-from-zero')
  await page.getByLabel('Which of them').selectOption('away')
  await expect(page.getByLabel('For how many days')).toBeVisible()
  await page.getByLabel('Which of them').selectOption('all')
  await expect(page.getByLabel('For how many days')).toBeHidden()
  await page.getByLabel('Subject').fill('Office hours')
  await page.getByLabel('Text').fill('Come **on Thursday**.')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Save and preview' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Office hours')
  await expect(page.getByRole('article').getByText('on Thursday')).toBeVisible()
  await expectAccessible(page)

  await page.getByText('Send me a test').click()
  await page.getByRole('button', { name: 'Send the test' }).click()
  await expect(page.getByRole('status')).toHaveText('The test is on its way to your own address.')
  // The outbox sends every ten seconds.
  await expect
    .poll(() => sentTo(owner).map(({ subject }) => subject), { timeout: 60_000 })
    .toEqual(['Office hours'])

  await page.getByText('Send now').click()
  await page.getByRole('button', { name: 'Send to 1 learner' }).click()
  await expect.poll(() => sentTo(learner.email).length, { timeout: 60_000 }).toBe(1)
  const [mail] = sentTo(learner.email)
  expect(mail).toMatchObject({
    subject: 'Office hours',
    text: expect.stringContaining('Come **on Thursday**.'),
  })
  await expect(page.getByText('Sent', { exact: true }).first()).toBeVisible()
  await expectAccessible(page)

  const stop = /^http\S+StopReminders\S+$/m.exec(mail?.text ?? '')?.[0] ?? ''
  await learnersPage.goto(stop)
  await learnersPage.getByRole('button', { name: 'Stop announcements' }).click()
  await expect(learnersPage.getByRole('heading', { level: 1 })).toHaveText('Announcements stopped')
  await learnersPage.getByRole('link', { name: 'Go to settings' }).click()
  const choice = learnersPage.getByLabel('Announcements of your courses and the school')
  await expect(choice).not.toBeChecked()
  await choice.check()
  await learnersPage.getByRole('button', { name: 'Save announcements' }).click()
  await expect(learnersPage.getByText('Announcements are on.')).toBeVisible()
})

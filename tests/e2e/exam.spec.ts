import type { Page } from '@playwright/test'
import { eq } from 'drizzle-orm'
import { revokeCertificate } from '~/features/learning/certificate/certificate-operations.server'
import { users } from '~/server/database/schema'
import { expectAccessible } from '../support/accessibility'
import { expect, test } from '../support/browser'
import { refusalsOf } from '../support/credential-verifier'
import {
  answerShownQuestion,
  endAttemptIn,
  endPause,
  examPage,
  goOn,
  openPaper,
  putFirst,
  signUpWithFinishedCourse,
} from '../support/exam-journey'
import { hydrated } from '../support/hydration'
import { withProductDatabase } from '../support/product-database'

const firstQuestion = (page: Page) => page.getByRole('heading', { name: /^Question 1 of/ })

async function startExam(page: Page): Promise<void> {
  await page.goto(examPage)
  await page.getByRole('button', { name: /^(Start the exam|Try again)$/ }).click()
  await expect(firstQuestion(page)).toBeVisible()
}

/** Answers everything right and hands in. */
async function passExam(page: Page, uid: string): Promise<void> {
  await startExam(page)
  for (const drawn of await openPaper(uid)) {
    await answerShownQuestion(page, drawn)
    await goOn(page)
  }
  await expect(page.getByText('You’ve answered every question.')).toBeVisible()
  await page.getByRole('button', { name: 'Submit exam' }).click()
  await expect(page.getByRole('heading', { name: 'You passed the exam' })).toBeVisible()
}

test('from a finished course through the exam to a certificate that an employer can check', async ({
  page,
  browser,
  baseURL,
}) => {
  test.slow()
  const uid = await signUpWithFinishedCourse(page)
  await passExam(page, uid)
  await expect(page.getByText('8 of 8 correct')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'See your certificate' }).click()
  await expect(page.getByText('This certificate is yours')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Copy link' })).toBeVisible()
  await expectAccessible(page)

  const address = page.url()
  const employer = await (await browser.newContext()).newPage()
  await employer.goto(address)
  await expect(employer.getByText('Valid. Learnify issued this certificate.')).toBeVisible()
  await expect(employer.getByText('Ada Lovelace')).toBeVisible()
  await expect(employer.getByText('This certificate is yours')).toBeHidden()
  const get = async (url: string) => (await employer.request.get(url)).json()
  const credential = await get(`${address}/credential.json`)
  const verifier = { load: get, issuer: await get(`${baseURL}/.well-known/did.json`) }
  expect(await refusalsOf(credential, verifier)).toEqual([])
  const altered = JSON.parse(JSON.stringify(credential).replace('Lovelace', 'Lovelacf'))
  expect(await refusalsOf(altered, verifier)).not.toEqual([])

  const id = address.split('/').at(-1) ?? ''
  await withProductDatabase((db) => revokeCertificate(db, id, 'Issued by mistake', new Date()))
  expect(await refusalsOf(credential, verifier)).toEqual(['revoked'])
  await employer.reload()
  await expect(employer.getByText('Revoked. This certificate is no longer valid.')).toBeVisible()
  await expect(employer.getByText('Reason: Issued by mistake')).toBeVisible()
  await employer.context().close()
})

test('an earned certificate waits for the address to be confirmed, and says so', async ({ page }) => {
  test.slow()
  const uid = await signUpWithFinishedCourse(page)
  const setConfirmed = (emailVerified: boolean) =>
    withProductDatabase((db) => db.update(users).set({ emailVerified }).where(eq(users.id, uid)))
  await setConfirmed(false)
  await passExam(page, uid)
  const waiting = page.getByText('Confirm your email address to receive your certificate.')
  await expect(waiting).toBeVisible()
  await expect(page.getByRole('link', { name: 'Confirm your email address' })).toBeVisible()
  await expectAccessible(page)
  for (const address of [examPage, '/Profile/achievements']) {
    await page.goto(address)
    await expect(waiting).toBeVisible()
  }
  await page.goto('/Learn/python-from-zero')
  await expect(page.getByText('Confirm your email address')).toBeAttached()
  await setConfirmed(true)
  await page.goto('/Profile/achievements')
  await page.getByRole('link', { name: 'Python from Zero' }).click()
  await expect(page.getByText('Issued to a confirmed email address.')).toBeVisible()
})

test('the holder decides whether the page, the PDF and the credential show the full name', async ({
  page,
  request,
}) => {
  test.slow()
  await passExam(page, await signUpWithFinishedCourse(page))
  await page.getByRole('link', { name: 'See your certificate' }).click()
  await page.getByRole('checkbox', { name: 'Show my full name' }).uncheck()
  await expect(page.getByText('show only ‘A. L.’.')).toBeVisible()
  await expect(page.getByRole('article')).toContainText('A. L.')
  for (const file of ['', '/credential.json']) {
    expect(await (await request.get(`${page.url()}${file}`)).text()).not.toContain('Lovelace')
  }
  const pdf = await request.get(`${page.url()}/certificate.pdf`)
  expect(pdf.headers()['content-type']).toBe('application/pdf')
})

test('nothing that tells a right answer reaches the browser before the exam is handed in', async ({ page }) => {
  const uid = await signUpWithFinishedCourse(page)
  const sent: Promise<string>[] = []
  page.on('response', (response) => {
    sent.push(response.text().catch(() => ''))
  })
  await startExam(page)
  const paper = await openPaper(uid)
  for (const _drawn of paper) await goOn(page)
  await page.reload()
  await expect(page.getByText('unanswered questions will count as incorrect')).toBeVisible()
  await hydrated(page)
  // A browser forgets the bodies of pages that it has left; these two are there in any case.
  for (const address of [examPage, `${examPage}.data`])
    sent.push(page.request.get(address).then((response) => response.text()))
  const everything = (await Promise.all(sent)).join('\n')
  const shown = paper
    .map(({ question }) => JSON.stringify([question.prompt, 'options' in question && question.options]))
    .join()
  const secrets = paper.flatMap(({ question }) => [
    question.explanation,
    // Authors name questions after what they ask for.
    ...(question.id.includes('-') ? [question.id] : []),
    // Short words like 'len' stand in every script.
    ...(question.type === 'text' ? question.accepted.filter((text) => text.length > 7 && !shown.includes(text)) : []),
  ])
  expect(paper.every(({ question }) => everything.includes(JSON.stringify(question.prompt).slice(1, 30)))).toBe(true)
  expect(secrets.filter((secret) => everything.includes(JSON.stringify(secret).slice(1, -1)))).toEqual([])
  expect(everything).not.toMatch(/\\?"(accepted|tolerance|explanation)\\?"/)
})

test('answers outlive a reload and a lost connection', async ({ page, context, guard }) => {
  guard.allowConsoleError(/ERR_INTERNET_DISCONNECTED/)
  const uid = await signUpWithFinishedCourse(page)
  await startExam(page)
  const [first, second] = await openPaper(uid)
  if (!first || !second) throw new Error('No paper.')
  await answerShownQuestion(page, first)
  await expect(page.locator('[data-status=saved]')).toBeVisible()
  await page.reload()
  await expect(page.getByText('1 of 8 answered')).toBeVisible()
  await goOn(page)
  await context.setOffline(true)
  await answerShownQuestion(page, second)
  await expect(page.getByText('Your answers are kept on this device')).toBeVisible()
  await context.setOffline(false)
  await expect(page.locator('[data-status=saved]')).toBeVisible({ timeout: 15_000 })
  await page.reload()
  await expect(page.getByText('2 of 8 answered')).toBeVisible()
  await expectAccessible(page)
})

test('of two devices the answer counts that was given last, and the other device shows it', async ({
  page,
  context,
  browser,
  guard,
}) => {
  guard.allowConsoleError(/ERR_INTERNET_DISCONNECTED/)
  guard.allowConsoleError(/409/)
  const uid = await signUpWithFinishedCourse(page)
  await startExam(page)
  await putFirst(uid, 'text')
  await page.goto(`${examPage}?question=1`)
  const field = page.getByRole('textbox', { name: 'Your answer' })
  await expect(firstQuestion(page)).toBeVisible()
  await context.setOffline(true)
  await field.fill('1')
  await expect(page.getByText('Your answers are kept on this device')).toBeVisible()

  const { cookies } = await context.storageState()
  const other = await browser.newContext({ storageState: { cookies, origins: [] } })
  const phone = await other.newPage()
  await phone.goto(`${examPage}?question=1`)
  await phone.getByRole('textbox', { name: 'Your answer' }).fill('2')
  await expect(phone.locator('[data-status=saved]')).toBeVisible()
  await other.close()

  await context.setOffline(false)
  await page.reload()
  await expect(page.locator('[data-status=saved]')).toBeVisible({ timeout: 15_000 })
  await expect(field).toHaveValue('2')
})

test('a choice that was made before the page had its script counts, and a reload puts back no earlier one', async ({
  page,
  browser,
  context,
}) => {
  const uid = await signUpWithFinishedCourse(page)
  await startExam(page)
  await putFirst(uid, 'single')
  const address = `${examPage}?question=1`
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/assets/*.js', async (route) => {
    await held
    await route.continue()
  })
  await page.goto(address, { waitUntil: 'commit' })
  await page.getByRole('radio').nth(1).check()
  release()
  await expect(page.getByText('1 of 8 answered')).toBeVisible()
  await expect(page.locator('[data-status=saved]')).toBeVisible()
  await page.unroute('**/assets/*.js')

  const { cookies } = await context.storageState()
  const other = await browser.newContext({ storageState: { cookies, origins: [] } })
  const phone = await other.newPage()
  await phone.goto(address)
  await expect(phone.getByRole('radio').nth(1)).toBeChecked()
  await phone.getByRole('radio').nth(2).check()
  await expect(phone.locator('[data-status=saved]')).toBeVisible()
  await other.close()
  await page.reload()
  await hydrated(page)
  await expect(page.getByRole('radio').nth(2)).toBeChecked()
})

test('an answer that comes too late is told', async ({ page, context, guard }) => {
  guard.allowConsoleError(/ERR_INTERNET_DISCONNECTED/)
  guard.allowConsoleError(/410/)
  const uid = await signUpWithFinishedCourse(page)
  await startExam(page)
  await putFirst(uid, 'single')
  await page.goto(`${examPage}?question=1`)
  await expect(firstQuestion(page)).toBeVisible()
  await context.setOffline(true)
  await page.getByRole('radio').first().check()
  await expect(page.locator('[data-status=offline]')).toBeVisible()
  await endAttemptIn(uid, -60)
  await context.setOffline(false)
  await expect(page.getByText('Your last answer to question 1 was too late to count.')).toBeVisible({
    timeout: 15_000,
  })
  await page.getByRole('link', { name: 'See your result' }).click()
  await expect(page.getByRole('heading', { name: 'Not passed this time' })).toBeVisible()
})

test('what is typed for a number and is none is told at once', async ({ page }) => {
  const uid = await signUpWithFinishedCourse(page)
  await startExam(page)
  await putFirst(uid, 'numeric')
  await page.goto(`${examPage}?question=1`)
  const field = page.getByRole('textbox', { name: 'Your answer' })
  const hint = page.getByText('Enter a number in digits only')
  await field.fill('about five')
  await expect(hint).toBeVisible()
  await field.fill('5')
  await expect(hint).toBeHidden()
  await field.fill('   ')
  await expect(page.getByText('0 of 8 answered')).toBeVisible()
})

test('handing in without a connection says so and keeps the page', async ({ page, context, guard }) => {
  guard.allowConsoleError(/ERR_INTERNET_DISCONNECTED/)
  await signUpWithFinishedCourse(page)
  await startExam(page)
  await page.goto(`${examPage}?question=review`)
  const handIn = page.getByRole('button', { name: 'Submit exam' })
  await expect(handIn).toBeVisible()
  await hydrated(page)
  await context.setOffline(true)
  await handIn.click()
  await expect(page.getByText('We couldn’t reach Learnify.')).toBeVisible()
  await context.setOffline(false)
  await handIn.click()
  await expect(page.getByRole('heading', { name: 'Not passed this time' })).toBeVisible()
})

test('a browser whose clock is set does not hand in early', async ({ page }) => {
  await signUpWithFinishedCourse(page)
  await page.clock.install()
  await startExam(page)
  await page.clock.setSystemTime(Date.now() + 3_600_000)
  await page.clock.runFor(3_000)
  await expect(page.getByRole('timer')).toContainText(/^14:/)
  await expect(firstQuestion(page)).toBeVisible()
})

test('a result tells right or wrong only, the next attempt waits for the pause, and meanwhile it tells nothing', async ({
  page,
}) => {
  const uid = await signUpWithFinishedCourse(page)
  await startExam(page)
  await page.goto(`${examPage}?question=review`)
  await page.getByRole('button', { name: 'Submit exam' }).click()
  await expect(page.getByRole('heading', { name: 'Question by question' })).toBeVisible()
  await expect(page.getByText('Not answered')).toHaveCount(8)
  await expect(page.getByText('You’ll see correct answers and explanations once you’ve passed.')).toBeVisible()
  const result = page.url()
  for (const address of [result, `${result}.data`]) {
    expect(await (await page.request.get(address)).text()).not.toMatch(/\\?"(expected|explanation|accepted)\\?"/)
  }
  await page.goto(examPage)
  await expect(page.getByText('Attempts must be at least 10 minutes apart.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Try again' })).toBeHidden()
  await endPause(uid)
  await startExam(page)
  await page.goto(result)
  await expect(page.getByText('You have another attempt in progress.')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Question by question' })).toBeHidden()
})

test('the browser hands in when the time is over, and says how much is left before', async ({ page }) => {
  const uid = await signUpWithFinishedCourse(page)
  await startExam(page)
  await endAttemptIn(uid, 62)
  await page.reload()
  await expect(page.getByRole('status').filter({ hasText: '1 minute left.' })).toBeAttached()
  await endAttemptIn(uid, 3)
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Not passed this time' })).toBeVisible({ timeout: 15_000 })
})

test('the server hands in when nobody comes back', async ({ page }) => {
  const uid = await signUpWithFinishedCourse(page)
  await startExam(page)
  await page.goto('/')
  await endAttemptIn(uid, -60)
  await expect(async () => {
    await page.goto('/Profile/exam-scores')
    await expect(page.getByRole('table').getByText('Python from Zero, final exam').first()).toBeVisible({
      timeout: 3_000,
    })
  }).toPass({ timeout: 20_000 })
})

test('works with the keyboard alone', async ({ page }) => {
  test.slow()
  const uid = await signUpWithFinishedCourse(page)
  await page.goto(examPage)
  await page.getByRole('button', { name: 'Start the exam' }).press('Enter')
  await expect(firstQuestion(page)).toBeVisible()
  for (const { question } of await openPaper(uid)) {
    await expect(page.getByRole('group', { name: question.prompt, exact: true })).toBeVisible()
    if (question.type === 'single') {
      await page.getByRole('radio').first().press('Space')
      await page.keyboard.press('ArrowDown')
      await expect(page.getByRole('radio').nth(1)).toBeChecked()
    } else if (question.type === 'multiple') await page.getByRole('checkbox').first().press('Space')
    else if (question.type === 'ordering') {
      const item = page.getByRole('group').getByRole('listitem').first()
      const moved = await item.getByRole('button', { name: /^Move down/ }).getAttribute('aria-label')
      await item.getByRole('button', { name: /^Move down/ }).press('Enter')
      await expect(page.getByRole('button', { name: moved ?? '', exact: true })).toBeFocused()
    } else await page.getByRole('textbox', { name: 'Your answer' }).fill('1')
    if (question.type === 'text' || question.type === 'numeric') await page.keyboard.press('Enter')
    else
      await page
        .getByRole('group')
        .locator('xpath=ancestor::form')
        .getByRole('button', { name: /^(Next|Review)$/ })
        .press('Enter')
  }
  await expect(page.getByRole('heading', { name: 'Review your answers' })).toBeFocused()
  await page.getByRole('button', { name: 'Submit exam' }).press('Enter')
  await expect(page.getByRole('heading', { name: 'Question by question' })).toBeVisible()
})

test.describe('without a script', () => {
  test.use({ javaScriptEnabled: false })

  test('an exam can be taken and passed', async ({ page }) => {
    test.slow()
    await passExam(page, await signUpWithFinishedCourse(page))
  })
})

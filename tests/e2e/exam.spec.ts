import { expectAccessible } from '../support/accessibility'
import { expect, test } from '../support/browser'
import {
  answerShownQuestion,
  endAttemptIn,
  endPause,
  examPage,
  firstQuestion,
  goOn,
  openPaper,
  passExam,
  putFirst,
  signUpWithFinishedCourse,
  startExam,
  submitUnanswered,
} from '../support/exam-journey'
import { hydrated } from '../support/hydration'

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
  await expect(page.getByRole('heading', { name: 'Not passed' })).toBeVisible()
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
  await hydrated(page)
  const handIn = () => submitUnanswered(page)
  await context.setOffline(true)
  await handIn()
  await expect(page.getByText('We couldn’t reach Learnify.')).toBeVisible()
  await context.setOffline(false)
  await handIn()
  await expect(page.getByRole('heading', { name: 'Not passed' })).toBeVisible()
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
  await hydrated(page)
  await submitUnanswered(page)
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
  await expect(page.getByRole('heading', { name: 'Not passed' })).toBeVisible({ timeout: 15_000 })
})

test('the server hands in when nobody comes back', async ({ page }) => {
  const uid = await signUpWithFinishedCourse(page)
  await startExam(page)
  await page.goto('/')
  await endAttemptIn(uid, -60)
  await expect(async () => {
    await page.goto('/Profile/exam-scores')
    await expect(page.getByRole('table').getByText('Final exam: Python from Zero').first()).toBeVisible({
      timeout: 3_000,
    })
  }).toPass({ timeout: 20_000 })
})

test('the exam is alone on the screen, asks before it is left, and goes on at the question one was at', async ({
  page,
}) => {
  await signUpWithFinishedCourse(page)
  await startExam(page)
  await hydrated(page)
  for (const hidden of ['banner', 'contentinfo'] as const) await expect(page.getByRole(hidden)).toHaveCount(0)
  await goOn(page)
  await goOn(page)
  await page.getByRole('button', { name: 'Leave' }).click()
  await expect(page.getByRole('heading', { name: 'Leave the exam?' })).toBeFocused()
  await expect(page.getByText('The clock keeps running.')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Leave exam' }).click()
  await expect(page.getByRole('banner')).toBeVisible()
  await page.goto(examPage)
  await expect(page.getByRole('heading', { name: 'Question 3 of 8' })).toBeVisible()
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
      await page.getByRole('button', { name: 'Move item 1 down' }).press('Enter')
      await expect(page.getByRole('button', { name: 'Move item 2 down' })).toBeFocused()
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

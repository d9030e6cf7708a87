import { expectAccessible } from '../support/accessibility'
import { expect, test } from '../support/browser'
import { delayRequests } from '../support/delay-requests'
import {
  answerDisplayedQuestion,
  examPath,
  firstQuestionHeading,
  goToNextQuestion,
  readOpenAttemptQuestions,
  setAttemptDeadline,
  signUpWithFinishedCourse,
  startExam,
  startExamAtQuestionType,
} from '../support/exam-journey'
import { waitForHydration } from '../support/hydration'

test('answers outlive a reload and a lost connection', async ({ page, context, guard }) => {
  guard.allowOfflineErrors()
  const uid = await signUpWithFinishedCourse(page)
  await startExam(page)
  // The button that was pressed is gone.
  await expect(firstQuestionHeading(page)).toBeFocused()
  const [first, second] = await readOpenAttemptQuestions(uid)
  if (!first || !second) {
    throw new Error('No paper.')
  }

  await answerDisplayedQuestion(page, first)
  await expect(page.locator('[data-status=saved]')).toBeVisible()
  await page.reload()
  await expect(page.getByText('1 of 8 answered')).toBeVisible()
  await goToNextQuestion(page)
  await context.setOffline(true)
  await answerDisplayedQuestion(page, second)
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
  guard.allowOfflineErrors()
  guard.allowConsoleError(/409/)
  await startExamAtQuestionType(page, 'text')
  const answerField = page.getByRole('textbox', { name: 'Your answer' })
  await context.setOffline(true)
  await answerField.fill('1')
  await expect(page.getByText('Your answers are kept on this device')).toBeVisible()

  const { cookies } = await context.storageState()
  const other = await browser.newContext({ storageState: { cookies, origins: [] } })
  const phone = await other.newPage()
  await phone.goto(`${examPath}?question=1`)
  await phone.getByRole('textbox', { name: 'Your answer' }).fill('2')
  await expect(phone.locator('[data-status=saved]')).toBeVisible()
  await other.close()

  await context.setOffline(false)
  await page.reload()
  await expect(page.locator('[data-status=saved]')).toBeVisible({ timeout: 15_000 })
  await expect(answerField).toHaveValue('2')
})

test('a choice that was made before the page had its script counts, and a reload puts back no earlier one', async ({
  page,
  browser,
  context,
}) => {
  await startExamAtQuestionType(page, 'single')
  const address = page.url()
  const release = await delayRequests(page, '**/assets/*.js')
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
  await waitForHydration(phone)
  await expect(phone.getByRole('radio').nth(1)).toBeChecked()
  await phone.getByRole('radio').nth(2).check()
  await expect(phone.locator('[data-status=saved]')).toBeVisible()
  await other.close()
  await page.reload()
  await waitForHydration(page)
  await expect(page.getByRole('radio').nth(2)).toBeChecked()
})

test('an answer that comes too late is told', async ({ page, context, guard }) => {
  guard.allowOfflineErrors()
  guard.allowConsoleError(/410/)
  const uid = await startExamAtQuestionType(page, 'single')
  await context.setOffline(true)
  await page.getByRole('radio').first().check()
  await expect(page.locator('[data-status=offline]')).toBeVisible()
  await setAttemptDeadline(uid, -60)
  await context.setOffline(false)
  await expect(page.getByText('Your last answer to question 1 was too late to count.')).toBeVisible(
    {
      timeout: 15_000,
    },
  )

  await page.getByRole('link', { name: 'See your result' }).click()
  await expect(page.getByRole('heading', { name: 'Not passed' })).toBeVisible()
})

test('what is typed for a number and is none is told at once', async ({ page }) => {
  await startExamAtQuestionType(page, 'numeric')
  const answerField = page.getByRole('textbox', { name: 'Your answer' })
  const hint = page.getByText('This isn’t a number we can read')
  await answerField.fill('about five')
  await expect(hint).toBeVisible()
  await answerField.fill('5')
  await expect(hint).toBeHidden()
  await answerField.fill('   ')
  await expect(page.getByText('0 of 8 answered')).toBeVisible()
})

import type { Browser, Page } from '@playwright/test'
import { getCorrectAnswer } from '~/features/courses/questions/drawn-question.server'
import { expectAccessible } from '../support/accessibility'
import { expect, test } from '../support/browser'
import { delayRequests } from '../support/delay-requests'
import {
  answerExamCorrectly,
  readOpenAttemptQuestions,
  setAttemptDeadline,
  startExamAtQuestionType,
} from '../support/exam-journey'
import { waitForHydration } from '../support/hydration'
import { goOffline } from '../support/offline'

const answerField = (page: Page) => page.getByRole('textbox', { name: 'Your answer' })
const expectSaved = (page: Page) => expect(page.locator('[data-status=saved]')).toBeVisible()

test('an answer survives a reload and a lost connection, gives way to a later one of another device, and is reported if it is too late', async ({
  page,
  context,
  browser,
  guard,
}) => {
  guard.allowOfflineErrors()
  guard.allowConsoleError(/409|410/)
  const uid = await startExamAtQuestionType(page, 'numeric')
  await expectHintAboutNumber(page)

  await answerField(page).fill('5')
  await expect(page.getByText('1 of 8 answered')).toBeVisible()
  await expectSaved(page)

  await page.reload()
  await expect(answerField(page)).toHaveValue('5')
  await expect(page.getByText('1 of 8 answered')).toBeVisible()
  await expectAccessible(page)

  await answerOffline(page, '6')
  await context.setOffline(false)
  await expectSaved(page)

  await answerOffline(page, '7')
  await onOtherDevice(page, browser, async (otherDevice) => {
    await expect(answerField(otherDevice)).toHaveValue('6')
    await answerField(otherDevice).fill('8')
    await expectSaved(otherDevice)
  })
  await context.setOffline(false)
  await page.reload()
  await expectSaved(page)
  await expect(answerField(page)).toHaveValue('8')

  await answerOffline(page, '9')
  await setAttemptDeadline(uid, -60)
  await context.setOffline(false)
  await expect(
    page.getByText('Your last answer to question 1 was too late to count.'),
  ).toBeVisible()

  await page.getByRole('link', { name: 'See your result' }).click()
  await expect(page.getByRole('heading', { name: 'Not passed' })).toBeVisible()
})

async function expectHintAboutNumber(page: Page): Promise<void> {
  const hint = page.getByText('This isn’t a number we can read')

  await answerField(page).fill('about five')
  await expect(hint).toBeVisible()
  await answerField(page).fill('   ')
  await expect(hint).toBeHidden()
  await expect(page.getByText('0 of 8 answered')).toBeVisible()
}

async function answerOffline(page: Page, answer: string): Promise<void> {
  await goOffline(page)
  await answerField(page).fill(answer)
  await expect(page.getByText('Your answers are kept on this device')).toBeVisible()
}

test('a choice that was made before the scripts had loaded counts, and a reload does not restore an earlier one', async ({
  page,
}) => {
  const uid = await startExamAtQuestionType(page, 'single')
  const [drawnQuestion] = await readOpenAttemptQuestions(uid)
  const correctIndex = Number(drawnQuestion && getCorrectAnswer(drawnQuestion))
  const wrongIndex = correctIndex === 0 ? 1 : 0

  const releaseScripts = await delayRequests(page, '**/assets/*.js')
  await page.goto(page.url(), { waitUntil: 'commit' })
  await page.getByRole('radio').nth(wrongIndex).check()
  releaseScripts()
  await expect(page.getByText('1 of 8 answered')).toBeVisible()
  await expectSaved(page)

  await answerExamCorrectly(uid)
  await page.reload()
  await expect(page.getByRole('radio').nth(correctIndex)).toBeChecked()
})

/** Opens the page in another browser, where the learner is signed in and nothing is stored. */
async function onOtherDevice(
  page: Page,
  browser: Browser,
  use: (otherDevice: Page) => Promise<void>,
): Promise<void> {
  const { cookies } = await page.context().storageState()
  const context = await browser.newContext({ storageState: { cookies, origins: [] } })
  const otherDevice = await context.newPage()
  await otherDevice.goto(page.url())
  await waitForHydration(otherDevice)

  await use(otherDevice)

  await context.close()
}

import { expect, test } from '../support/browser'
import {
  endExamPause,
  examPath,
  firstQuestionHeading,
  setAttemptDeadline,
  signUpWithFinishedCourse,
  startExam,
  submitUnanswered,
} from '../support/exam-journey'
import { waitForHydration } from '../support/hydration'

test('handing in without a connection says so and keeps the page', async ({
  page,
  context,
  guard,
}) => {
  guard.allowOfflineErrors()
  await signUpWithFinishedCourse(page)
  await startExam(page)
  await page.goto(`${examPath}?question=review`)
  await waitForHydration(page)
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
  await expect(page.getByRole('timer')).toContainText(/^1\d:/)
  await expect(firstQuestionHeading(page)).toBeVisible()
})

test('the browser hands in when the time is over, and says how much is left before', async ({
  page,
}) => {
  const uid = await signUpWithFinishedCourse(page)
  await page.clock.install()
  await startExam(page)
  await setAttemptDeadline(uid, 110)
  await page.reload()
  await page.clock.fastForward(50_000)
  await expect(page.getByRole('status').filter({ hasText: '1 minute left.' })).toBeAttached()
  await setAttemptDeadline(uid, 3)
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Not passed' })).toBeVisible()
})

test('a failed attempt shows its score but no question, and the next one waits for the pause', async ({
  page,
}) => {
  const uid = await signUpWithFinishedCourse(page)
  await startExam(page)
  await page.goto(`${examPath}?question=review`)
  await waitForHydration(page)
  await submitUnanswered(page)
  await expect(page.getByText('0 of 8 correct')).toBeVisible()
  await expect(page.getByText('You’ll see each question with its correct answer')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Question by question' })).toBeHidden()
  const result = page.url()
  for (const address of [result, `${result}.data`]) {
    expect(await (await page.request.get(address)).text()).not.toMatch(
      /\\?"(expected|explanation|accepted|verdict)\\?"/,
    )
  }

  await page.goto(examPath)
  await expect(page.getByText('Attempts must be at least 10 minutes apart.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Try again' })).toBeHidden()
  await endExamPause(uid)
  await startExam(page)
  await page.goto(result)
  await expect(page.getByText('0 of 8 correct')).toBeVisible()
})

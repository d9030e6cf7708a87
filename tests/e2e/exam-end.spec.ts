import type { Page } from '@playwright/test'
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
import { goOffline } from '../support/offline'

test('an exam that cannot be submitted offline is submitted later, and the next one after a pause is submitted when its time is over', async ({
  page,
  context,
  guard,
}) => {
  guard.allowOfflineErrors()
  const uid = await signUpWithFinishedCourse(page)
  await startExam(page)
  await page.goto(`${examPath}?question=review`)
  await goOffline(page)
  await submitUnanswered(page)
  await expect(page.getByText('We couldn’t reach Learnify.')).toBeVisible()

  await context.setOffline(false)
  await submitUnanswered(page)
  await expect(page.getByRole('heading', { name: 'Not passed' })).toBeVisible()
  await expect(page.getByText('0 of 8 correct')).toBeVisible()
  await expect(page.getByText('You’ll see each question with its correct answer')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Question by question' })).toBeHidden()

  const resultUrl = page.url()
  for (const url of [resultUrl, `${resultUrl}.data`]) {
    expect(await (await page.request.get(url)).text()).not.toMatch(
      /\\?"(expected|explanation|accepted|verdict)\\?"/,
    )
  }

  await page.goto(examPath)
  await expect(page.getByText('Attempts must be at least 10 minutes apart.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Try again' })).toBeHidden()

  await endExamPause(uid)
  await page.clock.install()
  await startExam(page)
  await expectEndByClock(page, uid)
})

/**
 * The browser says how much time is left and submits when it is over, whatever its own clock says.
 */
async function expectEndByClock(page: Page, uid: string): Promise<void> {
  await page.clock.setSystemTime(Date.now() + 3_600_000)
  await page.clock.runFor(3_000)
  await expect(page.getByRole('timer')).toContainText(/^1\d:/)
  await expect(firstQuestionHeading(page)).toBeVisible()

  await setAttemptDeadline(uid, 110)
  await page.reload()
  await page.clock.fastForward(50_000)
  await expect(page.getByRole('status').filter({ hasText: '1 minute left.' })).toBeAttached()

  await setAttemptDeadline(uid, 3)
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Not passed' })).toBeVisible()
}

import type { Page } from '@playwright/test'
import { eq } from 'drizzle-orm'
import { users } from '~/server/database/schema'
import { expectToFit } from '../support/accessibility'
import { expect, test } from '../support/browser'
import {
  courseId,
  finishArticleLesson,
  nextLessonLink,
  openLesson,
  questionButton,
  quizQuestions,
  shortCourseId,
  shortVideoLessonPath,
  signUpEnrolledLearner,
  switchOffAutoplay,
  videoLessonPath,
  waitUntilSaved,
} from '../support/lesson-journey'
import { withProductDatabase } from '../support/product-database'
import { signUpNewLearner } from '../support/sign-in'

const lessonHeading = (page: Page, title: string) =>
  page.getByRole('heading', { level: 1, name: title })
const continueLink = (page: Page) => page.getByRole('link', { name: 'Continue', exact: true })

test('a learner goes from sign-up to a finished course with the keyboard alone', async ({
  page,
}) => {
  await switchOffAutoplay(page)
  await signUpNewLearner(page)
  await page.goto(`/OneCourse/${shortCourseId}`)

  await page.getByRole('button', { name: 'Enroll Now' }).press('Enter')
  await page
    .getByRole('link', { name: /^Start/ })
    .first()
    .press('Enter')
  await expect(page).toHaveURL(shortVideoLessonPath)
  await expect(lessonHeading(page, 'Why a Knot Holds')).toBeVisible()

  await watchVideoWithKeys(page)
  await expect(page.getByText('1 of 4 lessons done')).toBeVisible()

  await continueLink(page).press('Enter')
  await expect(lessonHeading(page, 'Two Ends of a String')).toBeFocused()

  await page.getByRole('button', { name: 'Mark as done and go on' }).press('Enter')
  await expect(lessonHeading(page, 'Check: Friction')).toBeFocused()

  await answerQuizWithKeys(page)
  await expect(page.locator('[data-celebration=here]')).toContainText('Lesson finished')

  await nextLessonLink(page).press('Enter')
  await expect(lessonHeading(page, 'Check: Friction')).toBeHidden()

  await watchVideoWithKeys(page)
  await expect(page.getByText('100%', { exact: true })).toBeVisible()

  await waitUntilSaved(page)

  await page.goto('/Profile')
  await expect(page.getByText('Completed Three Knots')).toBeVisible()

  await page.getByText(/^Show \d+ more$/).press('Enter')
  await expect(page.getByText('Finished Why a Knot Holds in Three Knots')).toBeVisible()
})

async function watchVideoWithKeys(page: Page) {
  await waitUntilSaved(page)

  // The next video keeps the speed of the previous one, and 2 is the highest.
  for (let press = 0; press < 4; press++) {
    await page.keyboard.press('>')
  }
  await expect(page.getByLabel('Speed')).toHaveValue('2')

  await page.keyboard.press('k')
  await expect(page.getByText(/^Next lesson$|That was the last lesson/)).toBeVisible()
}

async function answerQuizWithKeys(page: Page) {
  await expect(page.getByText(/^Question 1 of/)).toBeVisible()

  for (const [index, question] of (await quizQuestions(page).all()).entries()) {
    if (index > 0) {
      await questionButton(page, index + 1).press('Enter')
    }

    await question.locator('input').first().press('Space')
    await page.keyboard.press('Enter')
    await expect(question.getByText(/^(Correct\.|Not quite\.)/)).toBeVisible()
  }
}

test.describe('on a phone', () => {
  test.use({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    timezoneId: 'Pacific/Auckland',
  })

  test('a learner works through lessons, with the course below them, on days of their own time zone', async ({
    page,
  }) => {
    await switchOffAutoplay(page)
    const { email } = await signUpEnrolledLearner(page, shortCourseId)
    await openLesson(page, shortVideoLessonPath)
    await expectOneRowOfControls(page)

    await nextLessonLink(page).tap()
    await finishArticleLesson(page)
    await page.getByRole('link', { name: /^Lessons/ }).tap()
    await expect(page.getByText('1 of 4 lessons done')).toBeInViewport()

    await page
      .getByRole('tabpanel', { name: 'Lessons' })
      .getByRole('link', { name: /Two Ends of a String/ })
      .tap()
    await expect(page.getByText('You’ve read this article.')).toBeVisible()

    await waitUntilSaved(page)
    await expectToFit(page)
    await expect.poll(() => readDetectedZone(email)).toBe('Pacific/Auckland')
  })
})

/** Reads the time zone of the learner's browser, by which the days of learning are counted. */
function readDetectedZone(email: string) {
  return withProductDatabase(async (db) => {
    const [learner] = await db.select().from(users).where(eq(users.email, email))
    return learner?.detectedTimezone
  })
}

/**
 * Expects one row of buttons that are large enough for a thumb, also on the narrowest phone and on
 * one that is held sideways.
 */
async function expectOneRowOfControls(page: Page) {
  const usualSize = { width: 390, height: 844 }
  const buttons = page
    .getByRole('region', { name: 'Video player' })
    .getByRole('button')
    .filter({ hasText: /^$/ })

  for (const size of [{ width: 320, height: 640 }, { width: 844, height: 390 }, usualSize]) {
    await page.setViewportSize(size)

    // One call measures all buttons, because the controls are rendered again for another width.
    const measureButtons = () =>
      buttons.evaluateAll((elements) => {
        const boxes = elements.map((element) => element.getBoundingClientRect())
        return {
          rowCount: new Set(boxes.map(({ top }) => top)).size,
          fitsThumb: Math.min(...boxes.flatMap(({ width, height }) => [width, height])) >= 44,
          fitsWindow: Math.max(...boxes.map(({ right }) => right)) <= window.innerWidth,
        }
      })

    await expect.poll(measureButtons).toEqual({ rowCount: 1, fitsThumb: true, fitsWindow: true })
  }
}

test('a video counts as done once it is marked, but not after a jump to its end, and a question has a second try', async ({
  page,
}) => {
  await signUpEnrolledLearner(page)
  await openLesson(page, videoLessonPath)

  await page.getByRole('button', { name: 'Play', exact: true }).click()
  await page.locator('video').evaluate((video: HTMLVideoElement) => {
    video.currentTime = 26
  })
  await expect(page.getByText('Next lesson', { exact: true })).toBeVisible()

  await waitUntilSaved(page)
  await expect(page.getByText('0 of 6 lessons done')).toBeVisible()

  await page.getByRole('button', { name: 'Mark as done' }).click()
  await expect(page.getByText('1 of 6 lessons done')).toBeVisible()

  await waitUntilSaved(page)
  await page.getByText(/^Why \d+%\?$/).click()
  await expect(page.getByText(/You’ve completed 28 s of/)).toBeVisible()

  await page.getByRole('button', { name: 'Done', exact: true }).click()
  await expect(page.getByText('0 of 6 lessons done')).toBeVisible()

  await waitUntilSaved(page)

  await openLesson(page, `/Learn/${courseId}/check-values-and-names`)
  await expect(page.getByText('0 of 6 lessons done')).toBeVisible()
  await expectSecondTry(page)
})

/** Answers a question wrongly twice. A reload shows the answer and the solution again. */
async function expectSecondTry(page: Page) {
  const question = quizQuestions(page).first()
  const wrongOption = question.locator('label').filter({ hasText: '14' })
  const checkAnswer = question.getByRole('button', { name: 'Check answer' })

  await wrongOption.click()
  // A double click is one try.
  await checkAnswer.dblclick()
  await expect(question.getByText('You have one more try.')).toBeVisible()
  await expect(question.getByText('Correct answer')).not.toBeAttached()
  await checkAnswer.click()
  await expect(question.getByText('Correct answer')).toBeAttached()
  await expect(question.getByRole('button', { name: 'Continue' })).toBeFocused()
  await waitUntilSaved(page)

  await page.reload()
  await expect(wrongOption.locator('input')).toBeChecked()
  await expect(question.getByText('Not quite.')).toBeVisible()
  await expect(page.getByText('Your score: 0 of 1 correct')).toBeVisible()

  await question.getByRole('button', { name: 'Try again' }).click()
  await expect(question.locator('input').first()).toBeFocused()
  await expect(question.getByText(/^(Correct\.|Not quite\.)/)).toBeHidden()
  await expect(wrongOption.locator('input')).not.toBeChecked()
  await question.getByRole('button', { name: 'Show answer' }).click()
  await expect(question.getByText('Correct answer')).toBeAttached()

  await question.getByRole('button', { name: 'Continue' }).click()
  await expect(quizQuestions(page).nth(1).locator('fieldset')).toBeFocused()
  await expect(question).toBeHidden()
}

import { expect, type Page } from '@playwright/test'
import { waitForHydration } from './hydration'
import { enrollIn, signUpNewLearner } from './sign-in'

export const courseId = 'python-from-zero'
/** Long enough to jump around in. */
export const videoLessonPath = `/Learn/${courseId}/names-and-values`
/** Four lessons, its videos of three seconds, to go through to the end. */
export const shortCourseId = 'three-knots'
export const shortVideoLessonPath = `/Learn/${shortCourseId}/why-a-knot-holds`

/** Signs up a new learner who is enrolled in the course. */
export async function signUpEnrolledLearner(page: Page, enrolledCourseId = courseId) {
  const { email } = await signUpNewLearner(page)
  await enrollIn(page, enrolledCourseId)
  return { email }
}

/** Opens a lesson and waits for its script. */
export async function openLesson(page: Page, path: string) {
  await page.goto(path)
  await waitForHydration(page)
  await waitUntilSaved(page)
}

/** The server has everything; the screen says nothing then. */
export const waitUntilSaved = (page: Page) =>
  expect(page.locator('[data-status]')).toHaveAttribute('data-status', 'saved', { timeout: 15_000 })

/** Beside a video's transcript the notes have a tab of their own. */
export const openNotesTab = (page: Page) => page.getByRole('tab', { name: 'Notes' }).click()

/** The link below the lesson. */
export const nextLessonLink = (page: Page) =>
  page.getByRole('navigation', { name: 'Lesson navigation' }).getByRole('link', { name: /^Next/ })

/** The next lesson waits for the learner, however busy the machine is. */
export const switchOffAutoplay = (page: Page) =>
  page.addInitScript(() => localStorage.setItem('player', JSON.stringify({ goesOn: false })))

/** Plays the rest of a short video at double speed, as a learner may, and waits for its end. */
export async function watchVideoLesson(page: Page) {
  await page.getByLabel('Speed').selectOption('2')
  await playVideoToEnd(page)
}

export async function playVideoToEnd(page: Page) {
  await page.getByRole('button', { name: 'Play', exact: true }).click()
  await expect(page.getByText(/^Next lesson$|That was the last lesson/)).toBeVisible()
}

/** Reads an article to its end, marks it there, and is led to the next lesson. */
export async function finishArticleLesson(page: Page) {
  const before = await page.locator('h1').textContent()
  await page.getByRole('button', { name: 'Mark as done and go on' }).click()
  await expect(page.locator('h1')).not.toHaveText(before ?? '')
  await expect(page.locator('h1')).toBeFocused()
}

/** Answers every question of a quiz, right or wrong. */
export async function answerQuiz(page: Page) {
  await expect(page.getByText(/^Question 1 of/)).toBeVisible()
  const questions = page.locator('form:has(fieldset)')
  for (let index = 0; index < (await questions.count()); index++) {
    const question = questions.nth(index)
    if (index > 0) {
      await questionButton(page, index + 1).click()
    }

    await question.locator('input').first().check()
    await question.getByRole('button', { name: 'Check answer' }).click()
    await expect(question.getByText(/^(Correct\.|Not quite\.)/)).toBeVisible()
  }

  await expect(page.getByText(/^You’ve answered every question\./)).toBeVisible()
}

/** Leads to a question of a quiz, which shows one at a time. */
export const questionButton = (page: Page, number: number) =>
  page.getByRole('button', { name: new RegExp(`^Question ${number} of`) })

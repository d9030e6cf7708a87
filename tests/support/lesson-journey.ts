import { expect, type Page } from '@playwright/test'
import { waitForHydration } from './hydration'
import { enrollIn, signUpNewLearner } from './sign-in'

export const courseId = 'python-from-zero'
/** The video of this lesson is long enough to jump around in. */
export const videoLessonPath = `/Learn/${courseId}/names-and-values`

/**
 * A course with four lessons and videos of three seconds, which a test can go through to the end.
 */
export const shortCourseId = 'three-knots'
export const shortVideoLessonPath = `/Learn/${shortCourseId}/why-a-knot-holds`

const savedTimeoutMs = 15_000

/** Signs up a new learner who is enrolled in the course. */
export async function signUpEnrolledLearner(page: Page, enrolledCourseId = courseId) {
  const { email } = await signUpNewLearner(page)
  await enrollIn(page, enrolledCourseId)
  return { email }
}

/** Opens a lesson and waits until the page is hydrated and the visit is saved. */
export async function openLesson(page: Page, path: string) {
  await page.goto(path)
  await waitForHydration(page)
  await waitUntilSaved(page)
}

/** Waits until the server has stored everything. The screen shows no message then. */
export const waitUntilSaved = (page: Page) =>
  expect(page.locator('[data-status]')).toHaveAttribute('data-status', 'saved', {
    timeout: savedTimeoutMs,
  })

/** Opens the tab of the notes, which is next to the tab of the video's transcript. */
export const openNotesTab = (page: Page) => page.getByRole('tab', { name: 'Notes' }).click()

export const noteField = (page: Page) => page.getByLabel(/^New note/)
export const displayedNotes = (page: Page) => page.getByRole('article')
export const noNotesMessage = (page: Page) =>
  page.getByText('You have no notes in this lesson yet.')

export async function addNote(page: Page, text: string) {
  await noteField(page).fill(text)
  await page.getByRole('button', { name: 'Add note' }).click()
}

/** Returns the link below the lesson that leads to the next one. */
export const nextLessonLink = (page: Page) =>
  page.getByRole('navigation', { name: 'Lesson navigation' }).getByRole('link', { name: /^Next/ })

/** Makes the next lesson wait for the learner, so that no timer goes on while a test looks. */
export const switchOffAutoplay = (page: Page) =>
  page.addInitScript(() => localStorage.setItem('player', JSON.stringify({ goesOn: false })))

/** Plays the rest of a short video at double speed and waits for its end. */
export async function watchVideoLesson(page: Page) {
  await page.getByLabel('Speed').selectOption('2')
  await page.getByRole('button', { name: 'Play', exact: true }).click()
  await expect(page.getByText(/^Next lesson$|That was the last lesson/)).toBeVisible()
}

/** Marks an article as done, which leads to the next lesson. */
export async function finishArticleLesson(page: Page) {
  const heading = page.locator('h1')
  const articleTitle = String(await heading.textContent())

  await page.getByRole('button', { name: 'Mark as done and go on' }).click()

  await expect(heading).not.toHaveText(articleTitle)
  await expect(heading).toBeFocused()
}

/** Answers every question of a quiz with its first choice, right or wrong. */
export async function answerQuiz(page: Page) {
  await expect(page.getByText(/^Question 1 of/)).toBeVisible()

  const questions = quizQuestions(page)
  const questionCount = await questions.count()
  for (let index = 0; index < questionCount; index++) {
    if (index > 0) {
      await questionButton(page, index + 1).click()
    }

    const question = questions.nth(index)
    await question.locator('input').first().check()
    await question.getByRole('button', { name: 'Check answer' }).click()
    await expect(question.getByText(/^(Correct\.|Not quite\.)/)).toBeVisible()
  }

  await expect(page.getByText(/^You’ve answered every question\./)).toBeVisible()
}

/** Returns the questions of a quiz, of which one is visible. */
export const quizQuestions = (page: Page) => page.locator('form:has(fieldset)')

/** Returns the button that leads to a question of a quiz, which shows one question at a time. */
export const questionButton = (page: Page, number: number) =>
  page.getByRole('button', { name: new RegExp(`^Question ${number} of`) })

import type { Page } from '@playwright/test'
import { expect, test } from '../support/browser'
import { waitUntilIdle } from '../support/hydration'
import {
  answerQuiz,
  courseId,
  finishArticleLesson,
  nextLessonLink,
  openLesson,
  openNotesTab,
  playVideoToEnd,
  questionButton,
  shortCourseId,
  shortVideoLessonPath,
  signUpEnrolledLearner,
  switchOffAutoplay,
  videoLessonPath,
  waitUntilSaved,
  watchVideoLesson,
} from '../support/lesson-journey'
import { signUpNewLearner } from '../support/sign-in'

test('a learner goes from sign-up to a finished course', async ({ page }) => {
  await switchOffAutoplay(page)
  await signUpNewLearner(page)
  await page.goto(`/OneCourse/${shortCourseId}`)
  await page.getByRole('button', { name: 'Enroll Now' }).click()
  await page
    .getByRole('link', { name: /^Start/ })
    .first()
    .click()
  await expect(page).toHaveURL(shortVideoLessonPath)
  await watchVideoLesson(page)
  await expect(page.getByText('1 of 4 lessons done')).toBeVisible()
  await page.getByRole('link', { name: 'Continue', exact: true }).click()
  await finishArticleLesson(page)
  await answerQuiz(page)
  await expect(page.locator('[data-celebration=here]')).toContainText('Lesson finished')
  await nextLessonLink(page).click()
  await watchVideoLesson(page)
  await expect(page.getByText('100%', { exact: true })).toBeVisible()
  await waitUntilSaved(page)

  await page.goto('/Profile/current-courses')
  await expect(page.getByText('4 of 4 lessons')).toBeVisible()
  await page.goto('/Profile')
  await expect(page.getByText('Completed Three Knots')).toBeVisible()
  await page.getByText(/^Show \d+ more$/).click()
  await expect(page.getByText('Finished Why a Knot Holds in Three Knots')).toBeVisible()
})

test('a learner finishes lessons with the keyboard alone', async ({ page }) => {
  await switchOffAutoplay(page)
  await signUpEnrolledLearner(page, shortCourseId)
  await openLesson(page, shortVideoLessonPath)
  for (let press = 0; press < 4; press++) {
    await page.keyboard.press('>')
  }

  await expect(page.getByLabel('Speed')).toHaveValue('2')
  await page.keyboard.press('k')
  const onward = page.getByRole('link', { name: 'Continue', exact: true })
  await expect(onward).toBeVisible()
  await onward.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Two Ends of a String' })).toBeVisible()
  await expect(page.locator('h1')).toBeFocused()
  await page.getByRole('button', { name: 'Mark as done and go on' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Check: Friction' })).toBeVisible()
  for (const [index, question] of (await page.locator('form:has(fieldset)').all()).entries()) {
    if (index > 0) {
      await questionButton(page, index + 1).press('Enter')
    }

    await question.locator('input').first().focus()
    await page.keyboard.press('Space')
    await page.keyboard.press('Enter')
    await expect(question.getByText(/^(Correct\.|Not quite\.)/)).toBeVisible()
  }

  await expect(page.getByText('3 of 4 lessons done')).toBeVisible()
  await waitUntilSaved(page)
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('a learner works through lessons, with the course below them', async ({ page }) => {
    await switchOffAutoplay(page)
    await signUpEnrolledLearner(page, shortCourseId)
    await openLesson(page, shortVideoLessonPath)
    await expectOneRowOfControls(page)
    await page.getByLabel('Speed').selectOption('2')
    await playVideoToEnd(page)
    await page.getByRole('link', { name: 'Continue', exact: true }).tap()
    await finishArticleLesson(page)
    await page.getByRole('link', { name: /^Lessons/ }).tap()
    await expect(page.getByText('2 of 4 lessons done')).toBeInViewport()
    await page
      .getByRole('tabpanel', { name: 'Lessons' })
      .getByRole('link', { name: /Two Ends of a String/ })
      .tap()
    await expect(page.getByText('You’ve read this article.')).toBeVisible()
    await nextLessonLink(page).tap()
    await answerQuiz(page)
    await waitUntilSaved(page)
    expect(
      await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth),
    ).toBe(true)
  })
})

/**
 * On the narrowest phone and on one that is held sideways, too; every button stays large enough for
 * a thumb.
 */
async function expectOneRowOfControls(page: Page) {
  const usual = page.viewportSize()
  const buttons = page
    .getByRole('region', { name: 'Video player' })
    .getByRole('button')
    .filter({ hasText: /^$/ })
  for (const size of [{ width: 320, height: 640 }, { width: 844, height: 390 }, usual]) {
    if (size) {
      await page.setViewportSize(size)
    }

    // The controls are drawn anew for another width, so that all of it is asked of the same moment.
    const row = () =>
      buttons.evaluateAll((all) => {
        const places = all.map((button) => button.getBoundingClientRect())
        return {
          rows: new Set(places.map(({ top }) => top)).size,
          thumb: Math.min(...places.flatMap(({ width, height }) => [width, height])) >= 44,
          fits: Math.max(...places.map(({ right }) => right)) <= window.innerWidth,
        }
      })

    await expect.poll(row).toEqual({ rows: 1, thumb: true, fits: true })
  }
}

test('a question has a second try before its solution, and shows both again after a reload', async ({
  page,
}) => {
  await signUpEnrolledLearner(page)
  await openLesson(page, `/Learn/${courseId}/check-values-and-names`)
  // The link for keyboards leaves nothing of the lesson below the bar.
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main')).toBeFocused()
  const bar = await page.getByRole('banner').boundingBox()
  const lesson = await page.getByRole('heading', { level: 1 }).boundingBox()
  expect(lesson?.y).toBeGreaterThan(bar?.height ?? 999)
  const question = page.locator('form:has(fieldset)').first()
  const options = question.locator('label')
  const wrong = options.filter({ hasText: '14' })
  await wrong.click()
  await question.getByRole('button', { name: 'Check answer' }).click()
  await expect(question.getByText('You have one more try.')).toBeVisible()
  await expect(question.getByText('Correct answer')).not.toBeAttached()
  await question.getByRole('button', { name: 'Check answer' }).click()
  await expect(question.getByText('Correct answer')).toBeAttached()
  await expect(question.getByRole('button', { name: 'Continue' })).toBeFocused()
  await waitUntilSaved(page)
  await page.reload()
  await expect(wrong.locator('input')).toBeChecked()
  await expect(question.getByText('Not quite.')).toBeVisible()
  await expect(page.getByText('Your score: 0 of 1 correct')).toBeVisible()
  await question.getByRole('button', { name: 'Try again' }).click()
  await expect(question.locator('input').first()).toBeFocused()
  await expect(question.getByText(/^(Correct\.|Not quite\.)/)).toBeHidden()
  await expect(question.locator('input').first()).not.toBeChecked()
  await waitUntilSaved(page)
  await page.reload()
  await question.getByRole('button', { name: 'Show answer' }).click()
  await expect(question.getByText('Correct answer')).toBeAttached()

  await question.getByRole('button', { name: 'Continue' }).click()
  const second = page.locator('form:has(fieldset)').nth(1)
  await expect(second).toBeVisible()
  await expect(question).toBeHidden()
  await expect(second.locator('fieldset')).toBeFocused()
  await page.reload()
  await expect(second).toBeVisible()
  await expect(question).toBeHidden()
})

test('the transcript is searched, and a click on a line goes there', async ({ page }) => {
  await signUpEnrolledLearner(page)
  await openLesson(page, videoLessonPath)
  await page.getByRole('tab', { name: 'Transcript' }).click()
  await page.getByLabel('Search the transcript').fill('TWELVE')
  await expect(page.getByText('2 matches')).toBeVisible()
  await page.getByRole('button', { name: /It prints twelve/ }).click()
  await expect
    .poll(() => page.locator('video').evaluate((element: HTMLVideoElement) => element.currentTime))
    .toBeGreaterThan(10.9)
})

test('every key of the player works, and the list of keys opens with a question mark', async ({
  page,
}) => {
  await signUpEnrolledLearner(page)
  await openLesson(page, videoLessonPath)
  const player = page.locator('video')
  const read = (name: 'paused' | 'muted' | 'currentTime') =>
    player.evaluate((element: HTMLVideoElement, key) => element[key], name)
  await page.keyboard.press('Space')
  await expect.poll(() => read('paused')).toBe(false)
  await page.keyboard.press('k')
  await expect.poll(() => read('paused')).toBe(true)
  const before = Number(await read('currentTime'))
  await page.keyboard.press('l')
  await expect.poll(async () => Number(await read('currentTime'))).toBeGreaterThan(before + 9)
  await page.keyboard.press('ArrowRight')
  await expect.poll(async () => Number(await read('currentTime'))).toBeGreaterThan(before + 14)
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('j')
  await expect.poll(async () => Number(await read('currentTime'))).toBeLessThan(before + 1)
  await page.keyboard.press('m')
  await expect.poll(() => read('muted')).toBe(true)
  await page.keyboard.press('c')
  await expect(page.getByRole('button', { name: 'Captions' })).toHaveAttribute(
    'aria-pressed',
    'false',
  )
  await page.keyboard.press('<')
  await expect(page.getByLabel('Speed')).toHaveValue('0.75')
  await page.keyboard.press('?')
  const list = page.getByRole('dialog', { name: 'Video settings' })
  await expect(list.getByText('Play or pause')).toBeVisible()
  await list.getByLabel(/Shortcuts work anywhere on the page/).uncheck()
  await list.getByRole('button', { name: 'Close' }).click()
  await page.locator('h1').click()
  await page.keyboard.press('m')
  await expect.poll(() => read('muted')).toBe(true)
  await page.reload()
  await expect(page.getByLabel('Speed')).toHaveValue('0.75')
  await openNotesTab(page)
  await page.getByLabel('New note at this moment').fill('')
  await page.getByLabel('New note at this moment').pressSequentially('kmc?')
  await expect(page.getByLabel('New note at this moment')).toHaveValue('kmc?')
})

test('others are led to the course page with a sentence why', async ({ page }) => {
  await page.goto(videoLessonPath)
  await expect(page).toHaveURL(`/OneCourse/${courseId}?why=sign-in`)
  await expect(page.getByText('Sign in and enroll to start the lessons.')).toBeVisible()
  await signUpNewLearner(page)
  await page.goto(`/Learn/${courseId}`)
  await expect(page).toHaveURL(`/OneCourse/${courseId}?why=enroll`)
  await expect(page.getByText('Enroll in this course to start the lessons.')).toBeVisible()
})

test('lessons and courses that do not exist say so, and announced ones that their material is to come', async ({
  page,
  guard,
}) => {
  guard.allowConsoleError(/404/)
  await signUpEnrolledLearner(page)
  for (const path of [`/Learn/${courseId}/nothing`, '/Learn/nothing/at-all']) {
    expect((await page.goto(path))?.status()).toBe(404)
    await expect(page.getByRole('heading', { level: 1, name: 'Lesson not found' })).toBeVisible()
  }

  await page.goto(`/Learn/${courseId}/while-and-when-to-stop`)
  await expect(page.getByText('This lesson is coming soon')).toBeVisible()
})

test('only the lesson screen loads the script of the player', async ({ page }) => {
  const scripts: string[] = []
  page.on('response', async (response) => {
    if (response.url().endsWith('.js')) {
      scripts.push(await response.text().catch(() => ''))
    }
  })

  for (const path of ['/', '/AllCourses', `/OneCourse/${courseId}`]) {
    await page.goto(path)
    await waitUntilIdle(page)
  }

  expect(scripts.length).toBeGreaterThan(0)
  expect(scripts.some((script) => script.includes('Keyboard shortcuts'))).toBe(false)
})

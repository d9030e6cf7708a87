import type { Locator, Page } from '@playwright/test'
import sharp from 'sharp'
import { expect, test } from '../support/browser'
import { delayRequests } from '../support/delay-requests'
import { waitForHydration, waitForLayout } from '../support/hydration'
import {
  courseId,
  shortCourseId,
  shortVideoLessonPath,
  signUpEnrolledLearner,
} from '../support/lesson-journey'
import { confirmEmail, signInAsDemo } from '../support/sign-in'

/** The bars of a page and, as pictures of the full width, its charts. */
const drawings = (page: Page) =>
  page
    .getByRole('main')
    .locator('[role=progressbar], [role=slider], svg[width="100%"]:not([role=progressbar] *)')

test('in forced colors every figure and bar is still drawn', async ({ page }) => {
  await page.emulateMedia({ forcedColors: 'active' })
  await signInAsDemo(page)
  for (const path of ['/Profile', '/Profile/exam-scores', '/Profile/achievements']) {
    await page.goto(path)
    await expectDrawings(page)
  }

  await signUpEnrolledLearner(page, shortCourseId)
  await page.goto(shortVideoLessonPath)
  await expectDrawings(page)

  const readOutline = (link: Locator) =>
    link.evaluate((element) => getComputedStyle(element).outlineStyle)
  const openLesson = page.locator('aside a[aria-current=page]')
  const otherLesson = page.locator('aside a:not([aria-current])').first()
  expect(await readOutline(openLesson)).not.toBe(await readOutline(otherLesson))
})

/** Expects that each visible drawing has more than the color of its background. */
async function expectDrawings(page: Page): Promise<void> {
  await waitForLayout(page)
  await expect(drawings(page).filter({ visible: true })).not.toHaveCount(0)
  for (const drawing of await drawings(page).filter({ visible: true }).all()) {
    const html = await drawing.evaluate((element) => element.outerHTML)
    await expect.poll(() => measureContrast(drawing), { message: html }).toBeGreaterThan(1)
  }
}

/** Returns the largest standard deviation of the color channels in a screenshot. */
async function measureContrast(drawing: Locator): Promise<number> {
  const { channels } = await sharp(await drawing.screenshot()).stats()
  return Math.max(...channels.map(({ stdev }) => stdev))
}

test('on paper, a course has every section open and a lesson its whole text, without the bars', async ({
  page,
}) => {
  await page.emulateMedia({ media: 'print' })
  await page.goto(`/OneCourse/${courseId}?tab=curriculum`)
  await expectPaper(page)

  for (const lesson of await page.locator('main details li').all()) {
    await expect(lesson).toBeVisible()
  }

  await signUpEnrolledLearner(page)
  await page.goto(`/Learn/${courseId}/text-numbers-and-conversion`)
  await expectPaper(page)
  await expect(page.locator('article p').last()).toBeVisible()
  expect((await page.pdf()).byteLength).toBeGreaterThan(10_000)
})

/**
 * Expects nothing that only a screen needs, and nothing that would cover the text of each sheet.
 */
async function expectPaper(page: Page) {
  await waitForHydration(page)
  await expect(page.locator('h1')).toBeVisible()
  for (const bar of ['banner', 'contentinfo'] as const) {
    await expect(page.getByRole(bar)).toBeHidden()
  }

  const floating = await page.evaluate(() =>
    [...document.querySelectorAll('body *')]
      .filter(
        (element) =>
          element.checkVisibility() && /fixed|sticky/.test(getComputedStyle(element).position),
      )
      .map((element) => element.outerHTML.slice(0, 100)),
  )

  expect(floating).toEqual([])
}

test('a lesson can be read and marked as done before its scripts arrive', async ({ page }) => {
  await signUpEnrolledLearner(page, shortCourseId)
  const deliverScripts = await delayRequests(page, '**/assets/*.js')

  await page.goto(`/Learn/${shortCourseId}/two-ends-of-a-string`, { waitUntil: 'commit' })
  await expect(page.locator('article')).toContainText('string')

  await page.getByRole('button', { name: 'Mark as done and go on' }).click()
  await expect(page.locator('h1')).toHaveText('Check: Friction')

  await page.goto(shortVideoLessonPath, { waitUntil: 'commit' })
  await expect(page.locator('video')).toHaveAttribute('poster', /\.webp/)
  await expect(page.locator('html')).not.toHaveAttribute('data-hydrated')

  deliverScripts()
  await waitForHydration(page)
  await expect(
    page.locator('aside').getByRole('link', { name: /Two Ends of a String/ }),
  ).toContainText('done')
})

test('a screen reader finds its way: landmarks, headings and names of the main screens', async ({
  page,
}) => {
  await page.goto('/')
  await waitForHydration(page)
  await expectTree(
    page,
    `
    - link "Skip to content"
    - banner:
      - search:
        - combobox "Search Learnify"
      - navigation "Main":
        - link "Home"
        - link "Courses"
        - link "Login"
        - link "Sign Up"
    - main:
      - region "Learn whatever you want, whenever you want, however you want.":
        - heading "Learn whatever you want, whenever you want, however you want." [level=1]
    - contentinfo`,
  )

  const { email } = await signUpEnrolledLearner(page, shortCourseId)
  await confirmEmail(email)
  await page.goto(`/OneCourse/${shortCourseId}`)
  await expectTree(
    page,
    `
    - main:
      - navigation "Breadcrumb"
      - heading "Three Knots" [level=1]
      - complementary "Price and enrollment":
        - link "Start"
        - button "✓ Enrolled"
        - progressbar "Your progress in this course"
      - tablist "About this course":
        - tab "Overview"
        - tab "Curriculum" [selected]
      - tabpanel "Curriculum":
        - group:
          - list
        - link /Final exam/`,
  )

  await page.goto(`/Learn/${shortCourseId}/check-friction`)
  await expectTree(
    page,
    `
    - main:
      - 'heading "Check: Friction" [level=1]'
      - list "Questions":
        - listitem:
          - button "Question 1 of 2"
      - list:
        - listitem:
          - group /What keeps a knot from slipping/:
            - radio "Friction"
            - radio "Glue"
          - button "Check answer"
      - navigation "Lesson navigation":
        - 'link "Previous: Two Ends of a String"'
        - button "Bookmark"
        - button "Mark as done"
        - 'link "Next: Tying a Square Knot"'
      - complementary "Lessons, transcript and notes":
        - tablist:
          - tab "Lessons" [selected]
        - tabpanel "Lessons":
          - heading "Your progress and lessons" [level=2]
          - progressbar "Course progress"
          - link "Final exam"`,
  )

  await page.goto(`/Exam/${shortCourseId}`)
  await page.getByRole('button', { name: 'Start the exam' }).click()
  await expectTree(
    page,
    `
    - main:
      - 'heading "Final exam: Three Knots" [level=1]'
      - button "Leave"
      - heading "Question 1 of 8" [level=2]
      - group
      - button "Next"
      - navigation "Questions":
        - button "Review and submit"`,
  )
})

/** Expects these parts of the page, in this order and nested like this. */
const expectTree = (page: Page, tree: string) =>
  expect(page.locator('body')).toMatchAriaSnapshot(tree)

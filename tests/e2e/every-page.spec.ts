import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect, test } from '../support/browser'
import { enrollIn, signInAsDemo, signUpNewLearner } from '../support/sign-in'

const publicPages = [
  '/',
  '/AllCourses',
  '/AllCourses?q=nothing-is-called-this',
  '/OneCourse',
  '/OneCourse?tab=curriculum',
  '/OneCourse?tab=instructor',
  '/OneCourse?tab=reviews',
  '/OneCourse/python-from-zero',
  '/Login',
  '/SignUp',
  '/ResetPassword',
  '/ConfirmEmail?token=never-was-one',
  '/Instructor',
]
const profilePages = [
  '/Profile',
  '/Profile/personal-info',
  '/Profile/current-courses',
  '/Profile/exam-scores',
  '/Profile/achievements',
  '/Profile/settings',
]
/** Of a learner who is new: time spent on these would count in the demo learner's history. */
const learningPages = [
  '/Learn/python-from-zero/names-and-values',
  '/Learn/python-from-zero/text-numbers-and-conversion',
  '/Learn/python-from-zero/check-values-and-names',
  '/Exam/python-from-zero',
]
const widths = [320, 390, 768, 1440]
const themes = ['light', 'dark'] as const

for (const theme of themes) {
  test.describe(`in the ${theme} theme`, () => {
    test.use({ colorScheme: theme, contextOptions: { reducedMotion: 'reduce' } })

    for (const path of publicPages) {
      test(`${path} is accessible and fits from 320 to 1440 px`, async ({ page }) => {
        await page.goto(path)
        await expectGoodPage(page)
      })
    }

    test('the pages of a learner are accessible and fit from 320 to 1440 px', async ({ page }) => {
      test.slow()
      await forEachPageOfALearner(page, async (path) => {
        await page.goto(path)
        await expect(page.getByText('Loading Learnify...')).toBeHidden()
        await expectGoodPage(page)
      })
    })
  })
}

async function expectGoodPage(page: Page) {
  await expect(page.locator('h1')).toHaveCount(1)
  expect(await page.title()).toContain('Learnify')
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 })
    expect(
      await page.evaluate(() => document.documentElement.scrollWidth),
      `scroll width at ${width} px`,
    ).toBeLessThanOrEqual(width)
    if (width === 768) continue
    const { violations } = await new AxeBuilder({ page }).analyze()
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`)).toEqual([])
  }
}

for (const path of publicPages) {
  test(`nothing on ${path} moves while it loads`, async ({ page }) => {
    await expectNothingMoves(page, path)
  })
}

test("nothing on a learner's pages moves while they load", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await forEachPageOfALearner(page, (path) => expectNothingMoves(page, path))
})

async function forEachPageOfALearner(page: Page, check: (path: string) => Promise<void>) {
  await signInAsDemo(page)
  for (const path of profilePages) await check(path)
  await page.context().clearCookies()
  await signUpNewLearner(page)
  await enrollIn(page, 'python-from-zero')
  for (const path of learningPages) await check(path)
}

/** A busy machine may hand the preloaded font over in the second frame: some text is then a pixel wider. */
const invisibleShift = 0.002

async function expectNothingMoves(page: Page, path: string) {
  await page.addInitScript(() => {
    const shifts: number[] = []
    Object.assign(window, { shifts })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push((entry as PerformanceEntry & { value: number }).value)
    }).observe({ type: 'layout-shift', buffered: true })
  })
  await page.goto(path)
  await page.waitForLoadState('networkidle')
  await expect(page.getByText('Loading Learnify...')).toBeHidden()
  const shifts = await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts)
  const moved = shifts.reduce((sum, shift) => sum + shift, 0)
  expect(moved, path).toBeLessThan(invisibleShift)
}

import type { Page } from '@playwright/test'
import { expectAccessible, expectToFit } from '../support/accessibility'
import { expect, test } from '../support/browser'
import { waitForHydration, waitForLayout } from '../support/hydration'
import { enrollIn, signInAsDemo, signUpNewLearner } from '../support/sign-in'

test.use({ contextOptions: { reducedMotion: 'no-preference' } })

const publicPages = [
  '/',
  '/AllCourses',
  '/AllCourses?q=nothing-is-called-this',
  '/OneCourse',
  '/OneCourse?tab=curriculum',
  '/OneCourse?tab=instructor',
  '/OneCourse?tab=reviews',
  '/Login',
  '/SignUp',
  '/ResetPassword',
  '/ConfirmEmail?token=never-was-one',
  '/NotMe?key=never-was-one',
  '/Instructor',
  '/Terms',
  '/Privacy',
  '/StopReminders',
]
/** Of the demo learner, who has courses. */
const demoPages = [
  '/OneCourse',
  '/AllCourses',
  '/Profile',
  '/Profile/personal-info',
  '/Profile/current-courses',
  '/Profile/exam-scores',
  '/Profile/achievements',
  '/Profile/settings',
  '/Practice',
]
/** Of a learner who is new: time spent on these would count in the demo learner's history. */
const learningPages = [
  '/Learn/python-from-zero/names-and-values',
  '/Learn/python-from-zero/text-numbers-and-conversion',
  '/Learn/python-from-zero/check-values-and-names',
  '/Exam/python-from-zero',
]
for (const path of publicPages) {
  test(`${path} stays still while it loads, is accessible and fits from 320 to 1440 px`, async ({
    page,
    guard,
  }) => {
    guard.allowConsoleError(/ERR_FAILED/)
    const deliverFont = await expectNothingMoves(page, path)
    await expectGoodPage(page, deliverFont)
  })
}

for (const path of [...demoPages, ...learningPages]) {
  test(`${path} of a learner stays still, is accessible and fits from 320 to 1440 px`, async ({
    page,
    guard,
  }) => {
    guard.allowConsoleError(/ERR_FAILED/)
    await page.setViewportSize({ width: 390, height: 844 })
    await signInFor(page, path)
    const deliverFont = await expectNothingMoves(page, path, page.locator('#learner-menu'))
    await expectGoodPage(page, deliverFont)
  })
}

for (const path of [
  '/',
  '/AllCourses',
  '/OneCourse',
  '/OneCourse?tab=reviews',
  '/Login',
  '/SignUp',
  '/Instructor',
  '/Terms',
]) {
  test(`${path} stays still while it arrives in pieces`, async ({ page, guard }) => {
    guard.allowConsoleError(/ERR_FAILED/)
    const pieces = (await (await page.request.get(path)).text()).match(/.{1,1500}/gs) ?? []
    await page.route('**/*.{js,woff2}', (route) => route.abort())
    await page.goto(path, { waitUntil: 'load' })
    const shifts = await page.evaluate(async (pieces) => {
      const values: number[] = []
      const frame = () =>
        new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
      document.open()
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) {
          values.push((entry as PerformanceEntry & { value: number }).value)
        }
      }).observe({ type: 'layout-shift' })

      for (const piece of pieces) {
        document.write(piece)
        await frame()
      }

      document.close()
      await frame()

      return values.filter((value) => value > 0.005)
    }, pieces)

    expect(shifts).toEqual([])
  })
}

/** Loads the page anew, with its font, without motion and in the theme that is looked at first. */
async function expectGoodPage(page: Page, giveFont: () => void) {
  giveFont()
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  await page.reload()
  await expect(page.getByText('Loading Learnify...')).toBeHidden()
  await expect(page.locator('h1')).toHaveCount(1)
  expect(await page.title()).toContain('Learnify')
  for (const width of [390, 768]) {
    await page.setViewportSize({ width, height: 900 })
    await expectToFit(page)
  }

  await expectAccessible(page)
}

async function signInFor(page: Page, path: string) {
  if (demoPages.includes(path)) {
    await signInAsDemo(page)
    // As after a sign-in by the form, the browser knows the learner's courses.
    await page.goto('/Profile')
    await expect
      .poll(() => page.evaluate(() => localStorage.getItem('enrollments')))
      .toContain('python-from-zero')

    return
  }

  await signUpNewLearner(page)
  await enrollIn(page, 'python-from-zero')
}

/**
 * Without the font: a busy machine hands it over in the second frame, until which the browser shows
 * no text, and lines that nobody saw are then laid out anew.
 *
 * @param last what comes late, when the session is known.
 * @returns lets the page have the font from now on. The route stays: taking it away has left a
 * request of the page waiting.
 */
async function expectNothingMoves(page: Page, path: string, last = page.getByRole('banner')) {
  let hasFont = false
  await page.route('**/*.woff2', (route) => (hasFont ? route.continue() : route.abort()))
  await page.addInitScript(() => {
    const shifts: number[] = []
    Object.assign(window, { shifts })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { value } = entry as PerformanceEntry & { value: number }
        // Once in thirty visits the catalog moves by 0.002 for a reason that is not known yet.
        if (value > 0.005) {
          shifts.push(value)
        }
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })

  await page.goto(path)
  await waitForHydration(page)
  await expect(page.getByText('Loading Learnify...')).toBeHidden()
  await expect(last).toBeAttached()
  await waitForLayout(page)
  const shifts = await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts)
  expect(shifts, path).toEqual([])

  return () => {
    hasFont = true
  }
}

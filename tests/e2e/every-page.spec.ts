import type { Page } from '@playwright/test'
import { expectAccessible, expectToFit } from '../support/accessibility'
import { expect, test } from '../support/browser'
import { waitForLayout } from '../support/hydration'
import { enrollIn, signInAsDemo, signUpNewLearner } from '../support/sign-in'

// Animations must not move the layout either.
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
/** The demo learner has courses, exam scores and achievements. */
const demoPages = {
  'the course pages': ['/OneCourse', '/AllCourses', '/Practice'],
  'the first sections of the profile': [
    '/Profile',
    '/Profile/personal-info',
    '/Profile/current-courses',
  ],
  'the other sections of the profile': [
    '/Profile/exam-scores',
    '/Profile/achievements',
    '/Profile/settings',
  ],
}
/**
 * A new learner opens these pages, because time spent on them would count in the demo learner's
 * history.
 */
const learningPages = [
  '/Learn/python-from-zero/names-and-values',
  '/Learn/python-from-zero/text-numbers-and-conversion',
  '/Learn/python-from-zero/check-values-and-names',
  '/Exam/python-from-zero',
]
const pagesThatArriveInPieces = [
  '/',
  '/AllCourses',
  '/OneCourse',
  '/OneCourse?tab=reviews',
  '/Login',
  '/SignUp',
  '/Instructor',
  '/Terms',
]

const computer = { width: 1280, height: 800 }
const phone = { width: 390, height: 844 }
const fontFiles = '*.woff2'
const scriptFiles = '*.js'

test.beforeEach(({ guard }) => guard.allowConsoleError(/ERR_BLOCKED_BY_INSPECTOR/))

for (const path of publicPages) {
  test(`${path} stays still while it loads, is accessible and fits from 320 to 1440 px`, async ({
    page,
  }) => {
    const loadPage = await watchPage(page)

    await expectGoodPage(page, loadPage, { path, viewport: computer })
  })
}

for (const [group, paths] of Object.entries(demoPages)) {
  test(`${group} of a learner stay still, are accessible and fit from 320 to 1440 px`, async ({
    page,
  }) => {
    test.slow()
    await signInAsDemo(page)
    // After a sign-in with the form, the browser knows the learner's courses.
    await page.goto('/Profile')
    await expect
      .poll(() => page.evaluate(() => localStorage.getItem('enrollments')))
      .toContain('python-from-zero')

    await expectGoodLearnerPages(page, paths)
  })
}

test('the learning pages stay still, are accessible and fit from 320 to 1440 px', async ({
  page,
}) => {
  test.slow()
  await signUpNewLearner(page)
  await enrollIn(page, 'python-from-zero')

  await expectGoodLearnerPages(page, learningPages)
})

for (const path of pagesThatArriveInPieces) {
  test(`${path} stays still while it arrives in pieces`, async ({ page }) => {
    const pieces = (await (await page.request.get(path)).text()).match(/.{1,1500}/gs) ?? []
    const devTools = await page.context().newCDPSession(page)
    await devTools.send('Network.enable')
    await devTools.send('Network.setBlockedURLs', { urls: [fontFiles, scriptFiles] })
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

type PageVisit = { path: string; viewport: { width: number; height: number } }
type LoadPage = Awaited<ReturnType<typeof watchPage>>

async function expectGoodLearnerPages(page: Page, paths: readonly string[]) {
  const loadPage = await watchPage(page)

  for (const path of paths) {
    await test.step(path, () => expectGoodPage(page, loadPage, { path, viewport: phone }))
  }
}

/** Loads a page with motion and then, in the theme that learners see first, without motion. */
async function expectGoodPage(page: Page, loadPage: LoadPage, { path, viewport }: PageVisit) {
  await page.setViewportSize(viewport)
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'no-preference' })
  await loadPage.withoutFont(path)
  if (viewport === phone) {
    await expect(page.locator('#learner-menu')).toBeAttached()
  }

  await waitForLayout(page)
  const shifts = await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts)
  expect(shifts, path).toEqual([])

  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  await loadPage.withFont()
  await expect(page.locator('h1')).toHaveCount(1)
  await expect(page).toHaveTitle(/Learnify/)
  for (const width of [390, 768]) {
    await page.setViewportSize({ width, height: 900 })
    await expectToFit(page)
  }

  await expectAccessible(page)
}

/**
 * Collects the layout shifts of each page in `window.shifts`. Returns functions that load a page.
 */
async function watchPage(page: Page) {
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

  const devTools = await page.context().newCDPSession(page)
  await devTools.send('Network.enable')

  return {
    /**
     * Loads a page for the first time, without its font. A busy machine would deliver the font in
     * the second frame. The browser shows no text until then, and would lay out lines that nobody
     * saw anew.
     */
    async withoutFont(path: string) {
      await devTools.send('Network.setCacheDisabled', { cacheDisabled: true })
      await devTools.send('Network.setBlockedURLs', { urls: [fontFiles] })
      await page.goto(path)
      await expect(page.getByText('Loading Learnify...')).toBeHidden()
    },
    async withFont() {
      await devTools.send('Network.setCacheDisabled', { cacheDisabled: false })
      await devTools.send('Network.setBlockedURLs', { urls: [] })
      await page.reload()
      await expect(page.getByText('Loading Learnify...')).toBeHidden()
    },
  }
}

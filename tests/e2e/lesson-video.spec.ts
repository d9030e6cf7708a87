import type { Page } from '@playwright/test'
import { and, eq } from 'drizzle-orm'
import { courseLessons } from '~/server/database/schema'
import { expect, test } from '../support/browser'
import { delayRequests } from '../support/delay-requests'
import { waitForHydration } from '../support/hydration'
import {
  courseId,
  nextLessonLink,
  openLesson,
  shortCourseId,
  shortVideoLessonPath,
  signUpEnrolledLearner,
  videoLessonPath,
  watchVideoLesson,
} from '../support/lesson-journey'
import { withProductDatabase } from '../support/product-database'
import { enrollIn, signUpNewLearner } from '../support/sign-in'

test.use({ contextOptions: { reducedMotion: 'no-preference' } })

const filmFiles = '**/media/**/names-and-values.*'
const player = (page: Page) => page.locator('video')
const secondOf = (page: Page) =>
  player(page).evaluate((element: HTMLVideoElement) => element.currentTime)
const isPlaying = (page: Page) =>
  player(page).evaluate((element: HTMLVideoElement) => !element.paused && element.readyState > 2)

/**
 * Lets only addresses that were fetched afterwards work, as if the page had been open for hours.
 */
async function endAddresses(page: Page): Promise<void> {
  await page.route('**/film', async (route) => {
    const response = await route.fetch()
    const film = Object.entries(await response.json()).map(([name, address]) => [
      name,
      `${address}&renewed`,
    ])
    await route.fulfill({ json: Object.fromEntries(film) })
  })

  await page.route(filmFiles, (route) =>
    route.request().url().includes('renewed') ? route.continue() : route.fulfill({ status: 404 }),
  )
}

test('the video of a lesson that is no preview is for the enrolled alone', async ({
  page,
  request,
}) => {
  const lessonKey = { courseId: 'typography-for-screens', id: 'building-a-type-scale' }
  const lesson = and(
    eq(courseLessons.courseId, lessonKey.courseId),
    eq(courseLessons.id, lessonKey.id),
  )
  await withProductDatabase((db) => db.update(courseLessons).set({ preview: false }).where(lesson))
  const plain = `/media/courses/${lessonKey.courseId}/videos/${lessonKey.id}.webm`
  const refused = await request.get(plain)
  expect(refused.status()).toBe(404)
  expect(await refused.text()).toContain('Please reload the lesson.')

  await signUpNewLearner(page)
  await enrollIn(page, lessonKey.courseId)
  await openLesson(page, `/Learn/${lessonKey.courseId}/${lessonKey.id}`)
  await page.getByRole('button', { name: 'Play', exact: true }).click()
  await expect.poll(() => secondOf(page)).toBeGreaterThan(0.5)
  const address = (await player(page).locator('source').first().getAttribute('src')) ?? ''
  expect(address).toContain(`${plain}?until=`)
  const part = await request.get(address, { headers: { Range: 'bytes=0-99' } })
  expect(part.status()).toBe(206)
  expect(part.headers()['cache-control']).toMatch(/^private/)
})

test.describe('the video of a lesson', () => {
  test('plays for the enrolled, by an address that stays the same when the page is loaded again', async ({
    page,
  }) => {
    await signUpEnrolledLearner(page)
    await openLesson(page, videoLessonPath)
    const address = await player(page).locator('source').first().getAttribute('src')
    await page.getByRole('button', { name: 'Play', exact: true }).click()
    await expect.poll(() => secondOf(page)).toBeGreaterThan(0.5)
    await page.reload()
    await expect(player(page).locator('source').first()).toHaveAttribute('src', address ?? '')
  })

  test('plays without scripts', async ({ page, browser, baseURL }) => {
    await signUpEnrolledLearner(page)
    const cookies = await page.context().storageState()
    const context = await browser.newContext({
      baseURL,
      javaScriptEnabled: false,
      storageState: cookies,
    })
    const plain = await context.newPage()
    const film = plain.waitForResponse(/names-and-values\.webm/)
    await plain.goto(videoLessonPath)
    expect([200, 206]).toContain((await film).status())
    await expect(player(plain)).toHaveAttribute('controls')
    await context.close()
  })

  test('is fetched anew when its address no longer works, before anything was played', async ({
    page,
    guard,
  }) => {
    guard.allowConsoleError(/404/)
    await signUpEnrolledLearner(page)
    await endAddresses(page)
    await openLesson(page, `${videoLessonPath}?at=7`)
    await expect.poll(() => secondOf(page)).toBeCloseTo(7, 1)
    await page.getByRole('button', { name: 'Play', exact: true }).click()
    await expect.poll(() => isPlaying(page)).toBe(true)
    await expect(page.getByText('We can’t play this video right now.')).toBeHidden()
  })

  test('goes on at the same second when its address ends while it plays', async ({
    page,
    guard,
  }) => {
    guard.allowConsoleError(/404/)
    await signUpEnrolledLearner(page)
    let first = true
    await endAddresses(page)
    // The first request brings the beginning of the video only, as to a browser that fetches what
    // it needs.
    await page.route(/names-and-values\.webm(?!.*renewed)/, async (route) => {
      if (!first) {
        return route.fulfill({ status: 404 })
      }

      first = false
      const response = await route.fetch()
      const body = (await response.body()).subarray(0, 60_000)
      const total = Number(response.headers()['content-range']?.split('/')[1])
      const headers = {
        ...response.headers(),
        'content-length': '60000',
        'content-range': `bytes 0-59999/${total}`,
      }

      await route.fulfill({ status: 206, headers, body })
    })
    const renewed = page.waitForResponse('**/film')
    await openLesson(page, videoLessonPath)
    const seconds: number[] = []
    await page.exposeFunction('noteSecond', (second: number) => seconds.push(second))
    await player(page).evaluate((element: HTMLVideoElement) =>
      element.addEventListener('timeupdate', () =>
        (window as unknown as { noteSecond(second: number): void }).noteSecond(element.currentTime),
      ),
    )

    await page.getByRole('button', { name: 'Play', exact: true }).click()
    await renewed
    const stoppedAt = Math.max(0, ...seconds)
    await expect.poll(() => secondOf(page)).toBeGreaterThan(stoppedAt + 0.5)
    await expect.poll(() => isPlaying(page)).toBe(true)
    expect(
      seconds
        .slice(seconds.indexOf(stoppedAt))
        .every((second) => second > stoppedAt - 1 || second === 0),
    ).toBe(true)
  })

  test('that cannot be had says so, and plays when it is tried again', async ({ page, guard }) => {
    guard.allowConsoleError(/404|ERR_FAILED/)
    await signUpEnrolledLearner(page)
    await page.route(filmFiles, (route) => route.abort())
    await openLesson(page, videoLessonPath)
    await expect(page.getByText('We can’t play this video right now.')).toBeVisible()
    await page.unroute(filmFiles)
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect.poll(() => isPlaying(page)).toBe(true)
    await expect(page.getByText('We can’t play this video right now.')).toBeHidden()
  })

  test('plays when play was pressed while its new address was on its way', async ({
    page,
    guard,
  }) => {
    guard.allowConsoleError(/404/)
    await signUpEnrolledLearner(page)
    await endAddresses(page)
    const releaseRequests = await delayRequests(page, '**/film')
    const urlRequested = page.waitForRequest('**/film')
    await openLesson(page, videoLessonPath)
    await urlRequested
    await page.getByRole('button', { name: 'Play', exact: true }).click()
    releaseRequests()
    await expect.poll(() => isPlaying(page)).toBe(true)
  })
})

test('the next lesson comes after a countdown, unless the learner stays or has switched it off', async ({
  page,
  guard,
}) => {
  guard.allowConsoleError(/ERR_FAILED/)
  await signUpEnrolledLearner(page, shortCourseId)
  // Its clock runs ahead, which the server would not believe.
  await page.route('**/progress', (route) => route.abort())
  const start = Date.UTC(2026, 0, 1)
  await page.clock.install({ time: start })
  // Nothing can be saved here, so the lesson's status may be 'offline' from the start.
  await page.goto(shortVideoLessonPath)
  await waitForHydration(page)
  await page.clock.pauseAt(start + 3_600_000)
  await watchVideoLesson(page)
  await page.clock.runFor(1_000)
  await expect(page.getByText('Next lesson starts in 8 seconds.')).toBeAttached()
  await page.getByRole('button', { name: 'Stay here' }).click()
  await expect(page.getByRole('link', { name: 'Continue', exact: true })).toBeFocused()
  await page.clock.runFor(20_000)
  await expect(page.getByRole('heading', { level: 1, name: 'Why a Knot Holds' })).toBeVisible()

  await page.getByLabel('Autoplay', { exact: true }).uncheck()
  await page.reload()
  await watchVideoLesson(page)
  await page.clock.runFor(20_000)
  await expect(page.getByLabel('Autoplay', { exact: true })).not.toBeChecked()

  await page.getByLabel('Autoplay', { exact: true }).check()
  await page.clock.runFor(10_000)
  await expect(page.getByRole('heading', { level: 1, name: 'Two Ends of a String' })).toBeFocused()
})

test('the panel beside the lesson has tabs, and the chosen one stays open in the next lesson', async ({
  page,
}) => {
  await signUpEnrolledLearner(page)
  await openLesson(page, videoLessonPath)
  const lessons = page.getByRole('tabpanel', { name: 'Lessons' })
  await expect(lessons).toBeVisible()
  await page.getByRole('tab', { name: 'Lessons' }).click()
  await expect(lessons).toBeVisible()
  await page.getByRole('tab', { name: 'Transcript' }).click()
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('tab', { name: 'Notes' })).toBeFocused()
  const noteBox = page.getByLabel('New note at this moment')
  const film = await player(page).boundingBox()
  expect((await noteBox.boundingBox())?.x).toBeGreaterThan((film?.x ?? 0) + (film?.width ?? 0) - 1)
  await nextLessonLink(page).click()
  await expect(page.getByLabel('New note', { exact: true })).toBeVisible()
  await page.reload()
  await expect(page.getByLabel('New note', { exact: true })).toBeVisible()
})

test('the controls lie on the video, hide while it plays, and come back for the pointer and the keyboard', async ({
  page,
}) => {
  await signUpEnrolledLearner(page)
  await openLesson(page, videoLessonPath)
  const frame = page.getByRole('region', { name: 'Video player' })
  const controls = page.locator('div:has(> div > div > button[aria-label="Video settings"])')
  const film = await player(page).boundingBox()
  const bar = await page.getByRole('button', { name: 'Video settings' }).boundingBox()
  expect(bar?.y).toBeLessThan((film?.y ?? 0) + (film?.height ?? 0))
  // It never ends, however slow the machine is.
  await player(page).evaluate((element: HTMLVideoElement) => {
    element.loop = true
  })
  await page.getByRole('button', { name: 'Play', exact: true }).click()
  await page.getByRole('heading', { level: 1 }).hover()
  await expect(controls).toHaveCSS('opacity', '0')
  const hover = async () => {
    await player(page).hover()
    return frame.getAttribute('data-controls')
  }
  await expect.poll(hover).toBe('shown')
  await page.getByRole('button', { name: 'Pause', exact: true }).focus()
  await page.keyboard.press('Tab')
  await expect(frame).toHaveAttribute('data-controls', 'hidden')
  await expect(controls).toHaveCSS('opacity', '1')
})

test('captions stand above the controls, and stay off once they were switched off', async ({
  page,
}) => {
  await signUpEnrolledLearner(page)
  await openLesson(page, videoLessonPath)
  await player(page).evaluate((element: HTMLVideoElement) => {
    element.currentTime = 13
  })
  const line = page.getByRole('region', { name: 'Video player' }).getByText('It prints twelve')
  const bottomOf = async () => {
    const box = await line.boundingBox()
    return (box?.y ?? 0) + (box?.height ?? 0)
  }
  await expect(line).toBeVisible()
  const seekBar = await page.getByLabel('Seek').boundingBox()
  await expect.poll(bottomOf).toBeLessThanOrEqual(seekBar?.y ?? 0)
  await page.getByRole('button', { name: 'Captions' }).click()
  await expect(line).toBeHidden()
  await page.reload()
  await expect(page.getByRole('button', { name: 'Captions' })).toHaveAttribute(
    'aria-pressed',
    'false',
  )
  await expect
    .poll(() => player(page).evaluate((element: HTMLVideoElement) => element.textTracks[0]?.mode))
    .toBe('disabled')
})

test.describe('at 900 pixels of height', () => {
  test.use({ viewport: { width: 1440, height: 900 } })

  test('“Done” and “Next” are in view in every kind of lesson', async ({ page }) => {
    await signUpEnrolledLearner(page)
    for (const lesson of [
      'names-and-values',
      'text-numbers-and-conversion',
      'check-values-and-names',
    ]) {
      await openLesson(page, `/Learn/${courseId}/${lesson}`)
      await expect(nextLessonLink(page)).toBeInViewport({ ratio: 1 })
      await expect(page.getByRole('button', { name: 'Mark as done', exact: true })).toBeInViewport({
        ratio: 1,
      })
    }
  })
})

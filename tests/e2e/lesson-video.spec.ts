import type { Page } from '@playwright/test'
import { expect, test } from '../support/browser'
import { delayRequests } from '../support/delay-requests'
import { waitForHydration } from '../support/hydration'
import {
  openLesson,
  shortCourseId,
  shortVideoLessonPath,
  signUpEnrolledLearner,
  videoLessonPath,
  watchVideoLesson,
} from '../support/lesson-journey'

test.use({ contextOptions: { reducedMotion: 'no-preference' } })

const videoFiles = '**/media/**/names-and-values.*'
const cannotPlay = (page: Page) => page.getByText('We can’t play this video right now.')
const playButton = (page: Page) => page.getByRole('button', { name: 'Play', exact: true })
const readSecond = (page: Page) =>
  page.locator('video').evaluate((video: HTMLVideoElement) => video.currentTime)
const isPlaying = (page: Page) =>
  page.locator('video').evaluate((video: HTMLVideoElement) => !video.paused && video.readyState > 2)

/**
 * Lets only video URLs work that are requested from now on, as if the page had been open for hours.
 */
async function expireVideoUrls(page: Page): Promise<void> {
  await page.route('**/film', async (route) => {
    const response = await route.fetch()
    const urls = Object.entries(await response.json()).map(([name, url]) => [
      name,
      `${url}&renewed`,
    ])
    await route.fulfill({ json: Object.fromEntries(urls) })
  })

  await page.route(videoFiles, (route) =>
    route.request().url().includes('renewed') ? route.continue() : route.fulfill({ status: 404 }),
  )
}

test('a video that cannot be loaded says so and is tried again, and one whose URL has expired gets a new one', async ({
  page,
  guard,
}) => {
  guard.allowConsoleError(/404|ERR_FAILED/)
  await signUpEnrolledLearner(page)
  await expectTryAgain(page)

  await expireVideoUrls(page)
  await expectPlayDuringRenewal(page)
  await expectRenewalWhilePlaying(page)
})

/** Opens a lesson whose video cannot be loaded at first. */
async function expectTryAgain(page: Page): Promise<void> {
  await page.route(videoFiles, (route) => route.abort())
  await openLesson(page, videoLessonPath)
  await expect(cannotPlay(page)).toBeVisible()

  await page.unroute(videoFiles)
  await page.getByRole('button', { name: 'Try again' }).click()

  await expect.poll(() => isPlaying(page)).toBe(true)
  await expect(cannotPlay(page)).toBeHidden()
}

/** Presses play while the new URL is on its way. The video starts at its second. */
async function expectPlayDuringRenewal(page: Page): Promise<void> {
  const releaseRequests = await delayRequests(page, '**/film')
  const urlRequest = page.waitForRequest('**/film')
  await openLesson(page, `${videoLessonPath}?at=7`)
  await urlRequest

  await playButton(page).click()
  releaseRequests()

  await expect.poll(() => isPlaying(page)).toBe(true)
  await expect.poll(() => readSecond(page)).toBeGreaterThan(7)
  await expect(cannotPlay(page)).toBeHidden()
}

/** Plays a video whose URL expires after its beginning. The video goes on at the same second. */
async function expectRenewalWhilePlaying(page: Page): Promise<void> {
  await sendOnlyBeginningOfVideo(page)
  const renewedUrls = page.waitForResponse('**/film')
  await openLesson(page, `${videoLessonPath}?at=0`)
  const seconds = await recordPlayedSeconds(page)

  await playButton(page).click()
  await renewedUrls
  const stoppedAt = Math.max(0, ...seconds)

  await expect.poll(() => readSecond(page)).toBeGreaterThan(stoppedAt + 0.5)
  await expect.poll(() => isPlaying(page)).toBe(true)
  const secondsAfterStop = seconds.slice(seconds.indexOf(stoppedAt))
  const earlierSeconds = secondsAfterStop.filter(
    (second) => second !== 0 && second <= stoppedAt - 1,
  )
  expect(earlierSeconds).toEqual([])
}

/** Responds to the first request with the beginning of the video, and to later ones with 404. */
async function sendOnlyBeginningOfVideo(page: Page): Promise<void> {
  const sentBytes = 60_000
  let isFirstRequest = true
  await page.route(/names-and-values\.webm(?!.*renewed)/, async (route) => {
    if (!isFirstRequest) {
      return route.fulfill({ status: 404 })
    }

    isFirstRequest = false
    const response = await route.fetch()
    const body = (await response.body()).subarray(0, sentBytes)
    const totalBytes = Number(response.headers()['content-range']?.split('/')[1])
    const headers = {
      ...response.headers(),
      'content-length': String(sentBytes),
      'content-range': `bytes 0-${sentBytes - 1}/${totalBytes}`,
    }

    await route.fulfill({ status: 206, headers, body })
  })
}

/** Returns a list to which every displayed second of the video is added. */
async function recordPlayedSeconds(page: Page): Promise<number[]> {
  const seconds: number[] = []
  await page.exposeFunction('recordSecond', (second: number) => seconds.push(second))
  await page.locator('video').evaluate((video: HTMLVideoElement) => {
    const { recordSecond } = window as unknown as { recordSecond(second: number): void }
    video.addEventListener('timeupdate', () => recordSecond(video.currentTime))
  })

  return seconds
}

test('a video that was started before its first bytes arrived counts as watched', async ({
  page,
}) => {
  await signUpEnrolledLearner(page, shortCourseId)
  const releaseVideo = await delayRequests(page, '**/media/**/*.{webm,mp4}?*')
  await page.goto(shortVideoLessonPath)
  await waitForHydration(page)

  await page.getByLabel('Speed').selectOption('2')
  await playButton(page).click()
  releaseVideo()

  await expect(page.getByText('1 of 4 lessons done')).toBeVisible()
})

test('the next lesson comes after a countdown, unless the learner stays or has switched it off', async ({
  page,
  guard,
}) => {
  guard.allowConsoleError(/ERR_FAILED/)
  const autoplay = page.getByLabel('Autoplay', { exact: true })
  await signUpEnrolledLearner(page, shortCourseId)
  // The server rejects the reports of a browser whose clock is ahead.
  await page.route('**/progress', (route) => route.abort())
  const startMs = Date.UTC(2026, 0, 1)
  await page.clock.install({ time: startMs })
  await page.goto(shortVideoLessonPath)
  await page.clock.pauseAt(startMs + 3_600_000)

  await watchVideoLesson(page)
  await page.clock.runFor(1_000)
  await expect(page.getByText('Next lesson starts in 8 seconds.')).toBeAttached()

  await page.getByRole('button', { name: 'Stay here' }).click()
  await expect(page.getByRole('link', { name: 'Continue', exact: true })).toBeFocused()

  await page.clock.runFor(20_000)
  await expect(page.getByRole('heading', { level: 1, name: 'Why a Knot Holds' })).toBeVisible()

  await autoplay.uncheck()
  await page.reload()
  await watchVideoLesson(page)
  await page.clock.runFor(20_000)
  await expect(autoplay).not.toBeChecked()

  await autoplay.check()
  await page.clock.runFor(10_000)
  await expect(page.getByRole('heading', { level: 1, name: 'Two Ends of a String' })).toBeFocused()
})

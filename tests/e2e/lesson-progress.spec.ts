import type { BrowserContext } from '@playwright/test'
import { eq } from 'drizzle-orm'
import { users } from '~/server/database/schema'
import { expect, test } from '../support/browser'
import { listOutboxEntries } from '../support/browser-outbox'
import { waitForHydration } from '../support/hydration'
import {
  answerQuiz,
  courseId,
  nextLessonLink,
  openLesson,
  signUpEnrolledLearner,
  videoLessonPath,
  waitUntilSaved,
} from '../support/lesson-journey'
import { withProductDatabase } from '../support/product-database'
import { enrollIn, signUpNewLearner } from '../support/sign-in'

test('seeking to the end does not finish a video', async ({ page }) => {
  await signUpEnrolledLearner(page)
  await openLesson(page, videoLessonPath)
  await page.getByRole('button', { name: 'Play', exact: true }).click()
  await page.locator('video').evaluate((element: HTMLVideoElement) => {
    element.currentTime = 26
  })
  await expect(page.getByText('Next lesson', { exact: true })).toBeVisible()
  await expect(page.getByText('0 of 6 lessons done')).toBeVisible()
  await waitUntilSaved(page)
})

/** The second that the lesson would go on from, as the server knows it. */
async function resumeSecond(context: BrowserContext) {
  const page = await context.newPage()
  await openLesson(page, videoLessonPath)
  const seek = page.getByLabel('Seek')
  await expect.poll(async () => Number(await seek.inputValue())).toBeGreaterThan(0)
  const second = Number(await seek.inputValue())
  await page.close()

  return second
}

test('what was watched while the network was cut, in a tab that was closed, is there after reopening online', async ({
  page,
  context,
  guard,
}) => {
  guard.allowOfflineErrors()
  guard.allowConsoleError(/Failed to load resource/)
  await signUpEnrolledLearner(page)
  await openLesson(page, videoLessonPath)
  const film = page.locator('video')
  // Slowly, so that a busy machine comes to the end of the journey before that of the film.
  await page.getByLabel('Speed').selectOption('0.5')
  await page.getByRole('button', { name: 'Play', exact: true }).click()
  // The loaded part of the video keeps playing without a network.
  const loadedAhead = ({ buffered, currentTime }: HTMLVideoElement) => {
    const part = Array.from({ length: buffered.length }, (_, index) => index).find(
      (index) => buffered.start(index) <= currentTime && currentTime < buffered.end(index),
    )
    return part === undefined ? 0 : buffered.end(part) - currentTime
  }

  await expect.poll(() => film.evaluate(loadedAhead)).toBeGreaterThan(4)
  await context.setOffline(true)
  await expect(
    page.getByRole('status').filter({ hasText: 'Offline: saved on this device' }),
  ).toBeVisible()
  const position = () => film.evaluate((element: HTMLVideoElement) => element.currentTime)
  await expect.poll(position).toBeGreaterThan(3)
  await page.getByRole('button', { name: 'Pause', exact: true }).click()
  const left = await position()
  await page.close()
  await context.setOffline(false)

  const profile = await context.newPage()
  await profile.goto('/Profile/current-courses')
  // The tab may have left several reports; the last one has what was watched last.
  await expect.poll(() => listOutboxEntries(profile)).toEqual([])
  expect(await resumeSecond(context)).toBeGreaterThan(left - 1.5)
})

test('a lesson says so when the network fails while it is read again, and comes back', async ({
  page: first,
  context,
  guard,
}) => {
  guard.allowConsoleError(/Failed to load resource|ERR_|Failed to fetch/)
  await signUpEnrolledLearner(first)
  await openLesson(first, videoLessonPath)
  await context.setOffline(true)
  await first.getByRole('button', { name: 'Mark as done' }).click()
  await expect(first.getByText('Offline: saved on this device')).toBeVisible()
  await first.close()
  await context.setOffline(false)
  // The report is now one of an earlier visit: once it has arrived, the page reads its data again.
  const page = await context.newPage()
  await page.route('**/progress', (route) => route.abort())
  await page.goto(videoLessonPath)
  await waitForHydration(page)
  await expect(page.getByText('0 of 6 lessons done')).toBeVisible()
  await page.unroute('**/progress')
  const cut = page.waitForEvent('requestfailed', (request) => request.url().includes('.data'))
  await page.route('**/*.data*', (route) => route.abort(), { times: 1 })
  await page.evaluate(() => window.dispatchEvent(new Event('online')))
  await cut
  // The browser may tell the page by itself, too, that the connection is back.
  await expect(async () => {
    await page.evaluate(() => window.dispatchEvent(new Event('online')))
    await expect(page.locator('video')).toBeVisible({ timeout: 2_000 })
  }).toPass()
  await expect(page.getByText('1 of 6 lessons done')).toBeVisible()
})

test('a report of one learner is never sent as another', async ({ page, context, guard }) => {
  guard.allowConsoleError(/Failed to load resource|ERR_/)
  await signUpEnrolledLearner(page)
  await openLesson(page, videoLessonPath)
  await page.route('**/progress', (route) => route.abort())
  await page.getByRole('button', { name: 'Mark as done' }).click()
  await expect(page.getByText('Offline: saved on this device')).toBeVisible()
  // What a page sends as it goes is its own learner's; it is over before the other one comes.
  await page.goto('about:blank')
  await page.unroute('**/progress')
  await context.clearCookies()
  await signUpEnrolledLearner(page)
  const sent: string[] = []
  page.on(
    'request',
    (request) => request.url().endsWith('/progress') && sent.push(request.postData() ?? ''),
  )
  await openLesson(page, videoLessonPath)
  await expect(page.getByText('0 of 6 lessons done')).toBeVisible()
  expect(sent.filter((body) => body.includes('"mark":{'))).toEqual([])
})

test('two devices go on where the other one was', async ({ page, browser, baseURL }) => {
  const learner = await signUpNewLearner(page)
  await enrollIn(page, courseId)
  await openLesson(page, videoLessonPath)
  await page.getByRole('tab', { name: 'Transcript' }).click()
  await page.getByRole('button', { name: /0:11/ }).click()
  await expect
    .poll(() => page.locator('video').evaluate((element: HTMLVideoElement) => element.currentTime))
    .toBeGreaterThan(12)
  const sent = page.waitForRequest('**/progress')
  await page.getByRole('button', { name: 'Pause', exact: true }).click()
  await sent
  await waitUntilSaved(page)

  const other = await browser.newContext({ baseURL })
  const origin = new URL((await page.request.get('/healthz')).url()).origin
  const { email, password } = learner
  await other.request.post('/account/login', {
    data: { email, password },
    headers: { Origin: origin },
  })
  expect(await resumeSecond(other)).toBeGreaterThan(11.9)
  await other.close()
})

test('“Next” without a connection says why it waits, and goes on by itself afterwards', async ({
  page,
  context,
  guard,
}) => {
  guard.allowOfflineErrors()
  guard.allowConsoleError(/Failed to load resource|Failed to fetch/)
  await signUpEnrolledLearner(page)
  await openLesson(page, videoLessonPath)
  await context.setOffline(true)
  await expect(
    page.getByText(
      /^You’re offline\. Your progress, answers, marks and new notes are saved on this device/,
    ),
  ).toBeVisible()

  await nextLessonLink(page).click()
  await expect(
    page.getByText('This will open by itself as soon as you’re back online.'),
  ).toBeVisible()
  await expect(page.getByRole('heading', { level: 1, name: 'Names Are Labels' })).toBeVisible()
  await context.setOffline(false)
  await expect(
    page.getByRole('heading', { level: 1, name: 'Text, Numbers and the Way Between' }),
  ).toBeVisible()
})

test('work of a tab that was closed offline shows as soon as the same lesson is opened again', async ({
  page,
  context,
  guard,
}) => {
  guard.allowOfflineErrors()
  guard.allowConsoleError(/Failed to load resource/)
  await signUpEnrolledLearner(page)
  await openLesson(page, `/Learn/${courseId}/check-values-and-names`)
  await context.setOffline(true)
  await answerQuiz(page)
  await expect(page.getByText('Offline: saved on this device')).toBeVisible()
  await page.close()
  await context.setOffline(false)
  const later = await context.newPage()
  await later.goto(`/Learn/${courseId}/check-values-and-names`)
  await expect(later.getByText('1 of 6 lessons done')).toBeVisible()
  await expect(later.getByText('Answered', { exact: true }).filter({ visible: true })).toBeVisible()
  await expect(later.getByText(/^You’ve answered every question\./)).toBeVisible()
})

test.describe('in another time zone', () => {
  test.use({ timezoneId: 'Pacific/Auckland' })

  test('the days of learning are those of the browser', async ({ page }) => {
    const { email } = await signUpNewLearner(page)
    await page.goto('/Profile')
    await expect
      .poll(() =>
        withProductDatabase(async (db) => {
          const [learner] = await db.select().from(users).where(eq(users.email, email))
          return learner?.detectedTimezone
        }),
      )
      .toBe('Pacific/Auckland')

    await page.goto('/Profile/personal-info')
    // Detected, not chosen.
    await expect(page.getByText('Same as my browser (Pacific/Auckland)')).toBeVisible()
  })
})

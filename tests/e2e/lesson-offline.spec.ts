import type { Page } from '@playwright/test'
import { expect, test } from '../support/browser'
import { listOutboxEntries, readStoredVideoPosition } from '../support/browser-outbox'
import {
  addNote,
  answerQuiz,
  courseId,
  nextLessonLink,
  noteField,
  openLesson,
  openNotesTab,
  signUpEnrolledLearner,
  videoLessonPath,
} from '../support/lesson-journey'
import { goOffline } from '../support/offline'

const savedOnDevice = (page: Page) => page.getByText('Offline: saved on this device')
const note = (page: Page, text: string) => page.getByRole('article').filter({ hasText: text })
const waitingNote = (page: Page, text: string) =>
  page.getByLabel('Notes to be sent').getByRole('listitem').filter({ hasText: text })

const quizPath = `/Learn/${courseId}/check-values-and-names`

test('offline, a lesson keeps new notes for later, refuses bookmarks, and opens the next lesson once online', async ({
  page,
  context,
  guard,
}) => {
  guard.allowOfflineErrors()
  guard.allowConsoleError(/Failed to load resource|Failed to fetch/)
  const bookmarkButton = page.getByRole('button', { name: 'Bookmark', exact: true })
  await signUpEnrolledLearner(page)
  await openLesson(page, videoLessonPath)
  await openNotesTab(page)
  await goOffline(page)
  await expect(
    page.getByText(
      /^You’re offline\. Your progress, answers, marks and new notes are saved on this device/,
    ),
  ).toBeVisible()

  await addNote(page, 'Frist')
  await expect(waitingNote(page, 'Frist')).toContainText(
    'It’s added to your notes once you’re back online.',
  )

  await waitingNote(page, 'Frist').getByRole('button', { name: 'Edit' }).click()
  await expect(noteField(page)).toHaveValue('Frist')

  await addNote(page, 'First')
  await expect(noteField(page)).toHaveValue('')

  await bookmarkButton.click()
  await expect(
    page.getByText('We couldn’t reach Learnify. Check your connection, then try again.'),
  ).toBeVisible()

  await context.setOffline(false)
  await expect(note(page, 'First')).toBeVisible()
  await expect(waitingNote(page, 'First')).toBeHidden()

  await bookmarkButton.click()
  await page.getByRole('tab', { name: 'Lessons' }).click()
  await expect(page.getByRole('link', { name: /Names Are Labels.*Bookmarked/ })).toBeVisible()

  await goOffline(page)
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

test('what was watched in a tab that was closed offline is there on another device, and answers and notes show as soon as the lesson is opened again', async ({
  page: videoTab,
  context,
  browser,
  baseURL,
  guard,
}) => {
  guard.allowOfflineErrors()
  guard.allowConsoleError(/Failed to load resource/)
  await signUpEnrolledLearner(videoTab)
  await openLesson(videoTab, videoLessonPath)
  const position = await watchOffline(videoTab)
  await videoTab.close()
  await context.setOffline(false)

  // Any page of this browser sends the progress that the closed tab could not send.
  const quizTab = await context.newPage()
  await openLesson(quizTab, quizPath)
  // The study time of this page is sent later.
  const listEntriesOfVideo = async () =>
    (await listOutboxEntries(quizTab)).filter(({ key }) => key.includes('names-and-values'))
  await expect.poll(listEntriesOfVideo).toEqual([])

  await openNotesTab(quizTab)
  await goOffline(quizTab)
  await answerQuiz(quizTab)
  await addNote(quizTab, 'Sent later')
  await expect(waitingNote(quizTab, 'Sent later')).toBeVisible()
  await expect(savedOnDevice(quizTab)).toBeVisible()

  await expect
    .poll(async () => (await listOutboxEntries(quizTab)).map(({ kind }) => kind).sort())
    .toEqual(['note', 'progress'])
  await quizTab.close()
  await context.setOffline(false)

  const laterPage = await context.newPage()
  await laterPage.goto(quizPath)
  await expect(
    laterPage.getByText('Answered', { exact: true }).filter({ visible: true }),
  ).toBeVisible()
  await expect(laterPage.getByText(/^You’ve answered every question\./)).toBeVisible()

  await openNotesTab(laterPage)
  await expect(note(laterPage, 'Sent later')).toBeVisible()

  await laterPage.getByRole('tab', { name: 'Lessons' }).click()
  await expect(laterPage.getByText('1 of 6 lessons done')).toBeVisible()

  const { cookies } = await context.storageState()
  const otherDevice = await browser.newContext({ baseURL, storageState: { cookies, origins: [] } })
  const lessonPage = await otherDevice.newPage()
  await openLesson(lessonPage, videoLessonPath)
  await expect
    .poll(async () => Number(await lessonPage.getByLabel('Seek').inputValue()))
    .toBeGreaterThan(position - 1)
  await otherDevice.close()
})

/**
 * Plays the video and watches its next seconds without a network.
 *
 * @returns the second at which the video was paused
 */
async function watchOffline(page: Page): Promise<number> {
  const video = page.locator('video')
  const readPosition = () => video.evaluate((element: HTMLVideoElement) => element.currentTime)

  // At half speed, a busy machine reaches the end of the journey before that of the video.
  await page.getByLabel('Speed').selectOption('0.5')
  await page.getByRole('button', { name: 'Play', exact: true }).click()
  // The loaded part of the video keeps playing without a network.
  await expect.poll(() => video.evaluate(readLoadedSecondsAhead)).toBeGreaterThan(4)
  await goOffline(page)
  await expect.poll(readPosition).toBeGreaterThan(1.5)
  await page.getByRole('button', { name: 'Pause', exact: true }).click()
  await expect(savedOnDevice(page)).toBeVisible()
  const position = await readPosition()
  await expect.poll(() => readStoredVideoPosition(page)).toBeGreaterThan(position - 0.5)

  return position
}

function readLoadedSecondsAhead({ buffered, currentTime }: HTMLVideoElement): number {
  const partIndexes = Array.from({ length: buffered.length }, (_, index) => index)
  const playedPart = partIndexes.find(
    (index) => buffered.start(index) <= currentTime && currentTime < buffered.end(index),
  )
  return playedPart === undefined ? 0 : buffered.end(playedPart) - currentTime
}

test('a lesson comes back after the network has failed while it loaded its data again', async ({
  page: closedPage,
  context,
  guard,
}) => {
  guard.allowOfflineErrors()
  guard.allowConsoleError(/Failed to load resource|ERR_|Failed to fetch/)
  await signUpEnrolledLearner(closedPage)
  await openLesson(closedPage, videoLessonPath)
  await goOffline(closedPage)
  await closedPage.getByRole('button', { name: 'Mark as done' }).click()
  await expect(savedOnDevice(closedPage)).toBeVisible()

  await closedPage.close()
  await context.setOffline(false)

  // Once the report of the closed page has arrived, the open page loads its data again.
  const page = await context.newPage()
  await page.route('**/progress', (route) => route.abort())
  await page.goto(videoLessonPath)
  expect(await listOutboxEntries(page)).toHaveLength(1)

  await page.unroute('**/progress')
  const failedRequest = page.waitForEvent('requestfailed', (request) =>
    request.url().includes('.data'),
  )
  await page.route('**/*.data*', (route) => route.abort(), { times: 1 })
  await page.evaluate(() => window.dispatchEvent(new Event('online')))
  await failedRequest

  // The browser may report by itself, too, that the connection is back.
  await expect(async () => {
    await page.evaluate(() => window.dispatchEvent(new Event('online')))
    await expect(page.locator('video')).toBeVisible({ timeout: 2_000 })
  }).toPass()
  await expect(page.getByText('1 of 6 lessons done')).toBeVisible()
})

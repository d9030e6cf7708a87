import type { Page, Request } from '@playwright/test'
import { expect, test } from '../support/browser'
import { delayRequests } from '../support/delay-requests'
import {
  addNote,
  courseId,
  displayedNotes,
  noNotesMessage,
  noteField,
  openLesson,
  openNotesTab,
  signUpEnrolledLearner,
  videoLessonPath,
} from '../support/lesson-journey'

const bookmarkButton = (page: Page) => page.getByRole('button', { name: 'Bookmark', exact: true })

/** Sending a note may load a script or a part of the route manifest first, which must not wait. */
function isPageDataRequest(request: Request): boolean {
  const isPartOfProduct =
    request.resourceType() === 'script' || request.url().includes('/__manifest')
  return request.method() === 'GET' && !isPartOfProduct
}

test('what one learner leaves in a browser is neither stored for the next learner nor shown to them', async ({
  page,
  guard,
}) => {
  guard.allowConsoleError(/403|401|ERR_FAILED/)
  const otherLearnerMessage = page.getByText('Someone else is now signed in on this browser')
  await signUpEnrolledLearner(page)
  await openLesson(page, videoLessonPath)
  await openNotesTab(page)
  await page.route('**/progress', (route) => route.abort())
  await page.getByRole('button', { name: 'Mark as done' }).click()
  await expect(page.getByText('Offline: saved on this device')).toBeVisible()

  // A signed-out page that loads its data again leaves the lesson.
  const releaseRequests = await delayRequests(page, '**/*', isPageDataRequest)
  await page.context().clearCookies()
  await addNote(page, 'Private')
  await expect(page.getByText('You’ve been signed out.')).toBeVisible()

  await signUpEnrolledLearner(page)
  await page.getByRole('button', { name: 'Add note' }).click()
  await expect(otherLearnerMessage).toBeVisible()

  await bookmarkButton(page).click()
  await expect(otherLearnerMessage).toHaveCount(2)

  releaseRequests()
  await page.unroute('**/progress')
  await openLesson(page, videoLessonPath)
  await expect(page.getByRole('button', { name: 'Mark as done' })).toBeVisible()

  await openNotesTab(page)
  await expect(noNotesMessage(page)).toBeVisible()
  await expect(noteField(page)).toHaveValue('')
  await expect(bookmarkButton(page)).toBeVisible()
})

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false })

  test('a lesson plays its video, takes notes and bookmarks, and an article leads on', async ({
    page,
  }) => {
    await signUpEnrolledLearner(page)
    const videoResponse = page.waitForResponse(/names-and-values\.webm/)
    await page.goto(videoLessonPath)

    await expect(page.getByText('JavaScript is turned off')).toBeVisible()
    expect([200, 206]).toContain((await videoResponse).status())
    await expect(page.locator('video')).toHaveAttribute('controls')

    await addNote(page, 'By hand')
    await expect(displayedNotes(page).getByText('By hand')).toBeVisible()

    await bookmarkButton(page).click()
    await expect(page.getByRole('button', { name: 'Bookmarked' })).toBeVisible()

    await page.goto(`/Learn/${courseId}/text-numbers-and-conversion`)
    await page.getByRole('button', { name: 'Mark as done and go on' }).click()
    await expect(
      page.getByRole('heading', { level: 1, name: 'Check: Values and Names' }),
    ).toBeVisible()
    await expect(page.getByText('1 of 6 lessons done')).toBeVisible()
  })
})

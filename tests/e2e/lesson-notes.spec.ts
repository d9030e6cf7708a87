import type { Page, Request } from '@playwright/test'
import { expect, test } from '../support/browser'
import { delayRequests } from '../support/delay-requests'
import {
  courseId,
  openLesson,
  openNotesTab,
  signUpEnrolledLearner,
  videoLessonPath,
  waitUntilSaved,
} from '../support/lesson-journey'
import { signUpNewLearner } from '../support/sign-in'

const noteBox = (page: Page) => page.getByLabel('New note at this moment')
const note = (page: Page) => page.getByRole('article')
const noNotes = (page: Page) => page.getByText('You have no notes in this lesson yet.')
const bookmarkButton = (page: Page) => page.getByRole('button', { name: 'Bookmark', exact: true })
const noConnection = (page: Page) =>
  page.getByText('We couldn’t reach Learnify. Check your connection, then try again.')

async function addNote(page: Page, text: string) {
  await noteBox(page).fill(text)
  await page.getByRole('button', { name: 'Add note' }).click()
}

/** Sending a note may load a script or a part of the route manifest first, which must not wait. */
function isPageDataRequest(request: Request): boolean {
  const isPartOfProduct =
    request.resourceType() === 'script' || request.url().includes('/__manifest')
  return request.method() === 'GET' && !isPartOfProduct
}

/** By a line of the transcript, from which the video plays on. */
async function goToFiveSeconds(page: Page) {
  await page.getByRole('tab', { name: 'Transcript' }).click()
  await page.getByRole('button', { name: /0:05/ }).click()
  await page.getByRole('button', { name: 'Pause', exact: true }).click()
  await openNotesTab(page)
}

test.describe('a note', () => {
  test('is taken at a moment of the video, changed and deleted', async ({ page }) => {
    await signUpEnrolledLearner(page)
    await openLesson(page, videoLessonPath)
    await goToFiveSeconds(page)

    await addNote(page, 'A name is **not** a box. <b>x</b>')
    await expect(note(page).locator('strong')).toHaveText('not')
    await expect(note(page).getByText('<b>x</b>')).toBeVisible()
    await expect(note(page).getByRole('button', { name: /Go to 0:0[5-9]/ })).toBeVisible()

    await note(page).getByRole('button', { name: 'Edit note' }).click()
    await note(page).getByLabel('Edit note').last().fill('Changed')
    await note(page).getByRole('button', { name: 'Save note' }).click()
    await expect(note(page).getByText('Changed')).toBeVisible()

    await note(page).getByRole('button', { name: 'Delete note' }).click()
    const forGood = page.getByRole('button', { name: 'Delete', exact: true })
    await expect(forGood).toBeFocused()
    await forGood.click()
    await expect(noNotes(page)).toBeVisible()
  })

  test('leads from the list of the whole course back to its moment', async ({ page }) => {
    await signUpEnrolledLearner(page)
    await openLesson(page, videoLessonPath)
    await goToFiveSeconds(page)
    await addNote(page, 'From the first lesson')
    await expect(note(page)).toBeVisible()

    await openLesson(page, `/Learn/${courseId}/functions-that-return`)
    await expect(noNotes(page)).toBeVisible()
    await page.getByRole('link', { name: /Whole course/ }).click()
    await page.getByRole('link', { name: /Names Are Labels · 0:0/ }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Names Are Labels' })).toBeVisible()
  })

  test('without a connection waits and is sent once it is back, also from another page', async ({
    page,
    context,
    guard,
  }) => {
    guard.allowOfflineErrors()
    guard.allowConsoleError(/Failed to load resource/)
    const waiting = (text: string) =>
      page.getByLabel('Notes to be sent').getByRole('listitem').filter({ hasText: text })
    await signUpEnrolledLearner(page)
    await openLesson(page, videoLessonPath)
    await openNotesTab(page)
    await context.setOffline(true)
    await addNote(page, 'Frist')
    await expect(waiting('Frist')).toContainText(
      'It’s added to your notes once you’re back online.',
    )
    await waiting('Frist').getByRole('button', { name: 'Edit' }).click()
    await expect(noteBox(page)).toHaveValue('Frist')
    await addNote(page, 'First')
    await expect(noteBox(page)).toHaveValue('')
    await context.setOffline(false)
    await expect(note(page).getByText('First')).toBeVisible()
    await expect(waiting('First')).toBeHidden()

    await context.setOffline(true)
    await addNote(page, 'Sent later')
    await expect(waiting('Sent later')).toBeVisible()
    await page.close()

    await context.setOffline(false)
    const later = await context.newPage()
    const sent = later.waitForResponse(
      (response) => response.url().endsWith('/notes') && response.ok(),
    )
    await later.goto('/Profile')
    await sent
    await openLesson(later, videoLessonPath)
    await openNotesTab(later)
    await expect(note(later).getByText('Sent later')).toBeVisible()
  })

  test('typed in the tab of one learner is not stored for another who signed in since', async ({
    page,
    guard,
  }) => {
    guard.allowConsoleError(/403|401/)
    const otherLearner = page.getByText('Someone else is now signed in on this browser')
    await signUpEnrolledLearner(page)
    await openLesson(page, videoLessonPath)
    await openNotesTab(page)
    // What the page still reads would find nobody signed in and leave the lesson.
    const release = await delayRequests(page, '**/*', isPageDataRequest)
    await page.context().clearCookies()
    await addNote(page, 'Private')
    await expect(page.getByText('You’ve been signed out.')).toBeVisible()

    await signUpEnrolledLearner(page)
    await page.getByRole('button', { name: 'Add note' }).click()
    await expect(otherLearner).toBeVisible()
    await bookmarkButton(page).click()
    await expect(otherLearner).toHaveCount(2)

    release()
    await openLesson(page, videoLessonPath)
    await openNotesTab(page)
    await expect(noNotes(page)).toBeVisible()
    await expect(noteBox(page)).toHaveValue('')
    await expect(bookmarkButton(page)).toBeVisible()
  })
})

test('a bookmark is shown in the list of lessons; one that cannot be sent says so', async ({
  page,
  context,
  guard,
}) => {
  guard.allowOfflineErrors()
  guard.allowConsoleError(/Failed to load resource/)
  await signUpEnrolledLearner(page)
  await openLesson(page, videoLessonPath)
  await context.setOffline(true)
  await bookmarkButton(page).click()
  await expect(noConnection(page)).toBeVisible()
  await context.setOffline(false)
  await bookmarkButton(page).click()
  await expect(page.getByRole('link', { name: /Names Are Labels.*Bookmarked/ })).toBeVisible()
})

test('a lesson is marked and unmarked, and the percentage explains itself', async ({ page }) => {
  await signUpEnrolledLearner(page)
  await openLesson(page, videoLessonPath)
  await page.getByRole('button', { name: 'Mark as done' }).click()
  await expect(page.getByText('1 of 6 lessons done')).toBeVisible()
  await waitUntilSaved(page)
  await page.reload()
  await page.getByText(/^Why \d+%\?$/).click()
  await expect(page.getByText(/You’ve completed 28 s of/)).toBeVisible()

  await page.getByRole('button', { name: 'Done', exact: true }).click()
  await expect(page.getByText('0 of 6 lessons done')).toBeVisible()
  await waitUntilSaved(page)
  await page.reload()
  await expect(page.getByText('0 of 6 lessons done')).toBeVisible()
})

test.describe('without a script', () => {
  test.use({ javaScriptEnabled: false })

  test('a lesson says what needs one, and takes notes and bookmarks', async ({ page }) => {
    await signUpEnrolledLearner(page)
    await page.goto(videoLessonPath)
    await expect(page.getByText('JavaScript is turned off')).toBeVisible()
    await addNote(page, 'By hand')
    await expect(note(page).getByText('By hand')).toBeVisible()
    await bookmarkButton(page).click()
    await expect(page.getByRole('button', { name: 'Bookmarked' })).toBeVisible()
  })

  test('an article is marked as done and leads on', async ({ page }) => {
    await signUpEnrolledLearner(page)
    await page.goto(`/Learn/${courseId}/text-numbers-and-conversion`)
    await page.getByRole('button', { name: 'Mark as done and go on' }).click()
    await expect(
      page.getByRole('heading', { level: 1, name: 'Check: Values and Names' }),
    ).toBeVisible()
    await expect(page.getByText('1 of 6 lessons done')).toBeVisible()
  })
})

test.describe('the heart of a course', () => {
  const heart = (page: Page) =>
    page.getByRole('button', { name: /^(Add to|Remove from) wish list(: Python from Zero)?$/ })

  test('leads a visitor to the login', async ({ page }) => {
    await page.goto('/AllCourses')
    await expect(page.getByRole('link', { name: 'Login' })).toBeVisible()
    await heart(page).click()
    await expect(page).toHaveURL(/\/Login\?from=%2FAllCourses/)
  })

  test("keeps the course for later, on the learner's profile, too", async ({ page }) => {
    await signUpNewLearner(page)
    await page.goto('/AllCourses')
    await expect(page.getByRole('banner').getByText('Ada', { exact: true })).toBeVisible()
    const answered = page.waitForResponse(
      (response) => response.url().endsWith('/Wishes') && response.request().method() === 'POST',
    )
    await heart(page).click()
    await expect(heart(page)).toHaveAccessibleName(/^Remove from wish list/)
    // The heart shows the wish before the server has it.
    await answered
    await page.goto(`/OneCourse/${courseId}`)
    await expect(page.getByText('Remove from wish list')).toBeVisible()
    await page.goto('/Profile/current-courses')
    const wishes = page.getByRole('region', { name: /Wish list/ })
    await expect(wishes.getByRole('link', { name: 'Python from Zero' })).toBeVisible()
  })
})

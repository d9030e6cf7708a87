import { expect, test } from '../support/browser'
import { course, newLearner, open, saved, video } from '../support/lesson-journey'
import { signUpNewLearner } from '../support/sign-in'

test('notes are taken at a moment, changed, listed for the course and deleted', async ({ page }) => {
  await newLearner(page)
  await open(page, video)
  await page.getByRole('button', { name: /0:05/ }).click()
  await page.getByRole('button', { name: 'Pause', exact: true }).click()
  await page.getByLabel('New note at this moment').fill('A name is **not** a box. <b>x</b>')
  await page.getByRole('button', { name: 'Add note' }).click()
  const note = page.getByRole('article')
  await expect(note.locator('strong')).toHaveText('not')
  await expect(note.getByText('<b>x</b>')).toBeVisible()
  await expect(note.getByRole('button', { name: /Go to 0:0[5-9]/ })).toBeVisible()
  await note.getByRole('button', { name: 'Edit the note' }).click()
  await note.getByLabel('Edit the note').last().fill('Changed')
  await note.getByRole('button', { name: 'Save note' }).click()
  await expect(note.getByText('Changed')).toBeVisible()

  await open(page, `/Learn/${course}/functions-that-return`)
  await expect(page.getByText('You have no notes in this lesson yet.')).toBeVisible()
  await page.getByRole('link', { name: /Of the whole course/ }).click()
  await page.getByRole('link', { name: /Names Are Labels · 0:0/ }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Names Are Labels' })).toBeVisible()
  await page.getByRole('button', { name: 'Delete the note' }).click()
  const forGood = page.getByRole('button', { name: 'Delete', exact: true })
  await expect(forGood).toBeFocused()
  await forGood.click()
  await expect(page.getByText('You have no notes in this lesson yet.')).toBeVisible()
})

test('a note that cannot be sent stays, also when the tab is closed, and the lesson goes on', async ({
  page,
  context,
  guard,
}) => {
  guard.allowConsoleError(/ERR_INTERNET_DISCONNECTED|Failed to load resource/)
  await newLearner(page)
  await open(page, video)
  const box = page.getByLabel('New note at this moment')
  await context.setOffline(true)
  await box.fill('Kept')
  await page.getByRole('button', { name: 'Add note' }).click()
  await expect(page.getByText('No connection. Please try again once you are connected.')).toBeVisible()
  await expect(box).toHaveValue('Kept')
  await page.getByRole('button', { name: 'Bookmark', exact: true }).click()
  await expect(page.getByText('No connection. Please try again')).toHaveCount(2)
  await page.close()

  await context.setOffline(false)
  const later = await context.newPage()
  await open(later, video)
  await expect(later.getByLabel('New note at this moment')).toHaveValue('Kept')
  await later.reload()
  await expect(later.getByLabel('New note at this moment')).toHaveValue('Kept')
  await later.getByRole('button', { name: 'Add note' }).click()
  await expect(later.getByRole('article').getByText('Kept')).toBeVisible()
  await expect(later.getByLabel('New note at this moment')).toHaveValue('')
})

test('what is typed in the tab of one learner is not stored for another who signed in since', async ({
  page,
  guard,
}) => {
  guard.allowConsoleError(/403|401/)
  await newLearner(page)
  await open(page, video)
  await page.context().clearCookies()
  await page.getByLabel('New note at this moment').fill('Private')
  await page.getByRole('button', { name: 'Add note' }).click()
  await expect(page.getByText('You are signed out.')).toBeVisible()
  await newLearner(page)
  await page.getByRole('button', { name: 'Add note' }).click()
  await expect(page.getByText('Another learner is signed in here by now')).toBeVisible()
  await page.getByRole('button', { name: 'Bookmark', exact: true }).click()
  await expect(page.getByText('Another learner is signed in here by now')).toHaveCount(2)
  await open(page, video)
  await expect(page.getByText('You have no notes in this lesson yet.')).toBeVisible()
  await expect(page.getByLabel('New note at this moment')).toHaveValue('')
  await expect(page.getByRole('button', { name: 'Bookmark', exact: true })).toBeVisible()
})

test.describe('without a script', () => {
  test.use({ javaScriptEnabled: false })

  test('a lesson says what needs one, and takes notes and bookmarks', async ({ page }) => {
    await newLearner(page)
    await page.goto(video)
    await expect(page.getByText('Scripts are off in this browser')).toBeVisible()
    await page.getByLabel('New note at this moment').fill('By hand')
    await page.getByRole('button', { name: 'Add note' }).click()
    await expect(page.getByRole('article').getByText('By hand')).toBeVisible()
    await page.getByRole('button', { name: 'Bookmark', exact: true }).click()
    await expect(page.getByRole('button', { name: 'Bookmarked' })).toBeVisible()
  })
})

test('a lesson is bookmarked, marked and unmarked, and the percentage explains itself', async ({ page }) => {
  await newLearner(page)
  await open(page, video)
  await page.getByRole('button', { name: 'Bookmark', exact: true }).click()
  await expect(page.getByRole('link', { name: /Names Are Labels.*Bookmarked/ })).toBeVisible()
  await page.getByRole('button', { name: 'Mark as done' }).click()
  await expect(page.getByText('1 of 6 lessons done')).toBeVisible()
  await saved(page)
  await page.reload()
  const why = page.getByText(/^Why \d+ %\?$/)
  await why.click()
  await expect(page.getByText(/You have done 28 s of/)).toBeVisible()
  await page.getByRole('button', { name: 'Done', exact: true }).click()
  await expect(page.getByText('0 of 6 lessons done')).toBeVisible()
  await saved(page)
  await page.reload()
  await expect(page.getByText('0 of 6 lessons done')).toBeVisible()
})

test('a heart keeps a course for later, on the profile, too; a visitor is led to the login', async ({ page }) => {
  await page.goto('/AllCourses')
  const heart = page.getByRole('button', { name: 'Wish list: Python from Zero' })
  await expect(page.getByRole('link', { name: 'Login' })).toBeVisible()
  await heart.click()
  await expect(page).toHaveURL(/\/Login\?from=%2FAllCourses/)
  await signUpNewLearner(page)
  await page.goto('/AllCourses')
  await expect(
    page
      .getByRole('button', { name: 'Ada' })
      .or(page.getByText('Ada', { exact: true }))
      .first(),
  ).toBeVisible()
  const answered = page.waitForResponse(
    (response) => response.url().endsWith('/Wishes') && response.request().method() === 'POST',
  )
  await heart.click()
  await expect(heart).toHaveAttribute('aria-pressed', 'true')
  await answered
  await page.goto(`/OneCourse/${course}`)
  await expect(page.getByText('On your wish list')).toBeVisible()
  await page.goto('/Profile/current-courses')
  await expect(
    page.getByRole('region', { name: /Wish list/ }).getByRole('link', { name: 'Python from Zero' }),
  ).toBeVisible()
})

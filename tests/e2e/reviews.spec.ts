import { expect, test } from '../support/browser'
import { signUpWithFinishedCourse } from '../support/exam-journey'
import { confirmEmail, enrollIn, signInAsDemo, signUpNewLearner } from '../support/sign-in'

/** The demo learner completed this course. */
const reviews = '/OneCourse/interface-design-fundamentals?tab=reviews'

test('a learner rates, reviews, edits and removes, and sees each change at once', async ({
  page,
}) => {
  test.slow()
  const uid = await signUpWithFinishedCourse(page)
  const reviewsOfOwnCourse = '/OneCourse/python-from-zero?tab=reviews'
  const comment = `<b>Good</b> pace, and <script>alert(1)</script> مرحبا 👩‍🚀 ${uid}`
  const editedComment = `The pace was slower than I remembered. ${uid}`
  const own = page.getByRole('region', { name: 'Your review' })
  const card = page.getByRole('article').filter({ hasText: uid })
  // Others see a change within a minute, because pages are cached.
  const openUntilCardHas = (path: string, text: string) =>
    expect(async () => {
      await page.goto(path)
      await expect(card).toContainText(text, { timeout: 1_000 })
    }).toPass()

  await page.goto(reviewsOfOwnCourse)
  await page.getByRole('button', { name: 'Write a review' }).click()
  await page.getByRole('button', { name: 'Save review' }).click()
  await expect(page.getByText('Please choose a rating')).toBeVisible()

  await page.getByRole('radio', { name: '4 stars' }).check()
  await page.getByLabel('What should others know').fill(comment)
  await page.getByRole('button', { name: 'Save review' }).click()
  await expect(page.getByText('Thanks! Your review is saved.')).toBeVisible()
  await expect(own).toContainText(comment)

  await openUntilCardHas(`${reviewsOfOwnCourse}&sort=newest`, comment)
  await expect(card).toContainText('Ada Lovelace')
  await expect(card.getByRole('button', { name: 'Helpful' })).toHaveCount(0)

  await page.getByRole('button', { name: 'Edit' }).click()
  await expect(page.getByRole('radio', { name: '4 stars' })).toBeChecked()
  await expect(page.getByRole('radio', { name: '4 stars' })).toBeFocused()

  await page.getByRole('radio', { name: '1 star', exact: true }).check()
  await page.getByLabel('What should others know').fill(editedComment)
  await page.getByLabel('Show my name and photo').uncheck()
  await page.getByRole('button', { name: 'Save review' }).click()
  await expect(page.getByText('Thanks! Your review is saved.')).toBeVisible()
  await expect(own).toContainText(editedComment)
  await expect(card).toContainText(editedComment)

  await openUntilCardHas(`${reviewsOfOwnCourse}&sort=lowest`, 'edited')
  await expect(card).toContainText('Anonymous')

  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByRole('button', { name: 'Delete review' }).click()
  await expect(page.getByRole('button', { name: 'Write a review' })).toBeVisible()
  await expect(card).toHaveCount(0)
})

test('a review form that does not load says so, and comes once the page is loaded again', async ({
  page,
  guard,
}) => {
  guard.allowConsoleError(/review-form|ERR_FAILED/)
  await signInAsDemo(page)
  await page.goto(reviews)
  await page.route('**/review-form-*.js', (route) => route.abort(), { times: 1 })
  const write = page.getByRole('button', { name: 'Write a review' })
  await write.click()
  await expect(page.getByRole('alert').getByText('reload the page')).toBeVisible()
  await expect(write).toBeFocused()

  await page.reload()
  await write.click()
  await expect(page.getByRole('radio', { name: '4 stars' })).toBeVisible()
})

test("'helpful' says what it takes, is kept and can be taken back", async ({ page }) => {
  const { email } = await signUpNewLearner(page)
  await page.goto(reviews)
  await expect(page.getByText('Enroll in this course and complete 30% of it')).toBeVisible()

  const card = page.getByRole('article').first()
  await card.getByRole('button', { name: 'Helpful' }).click()
  await expect(card.getByText('Enroll in this course to mark reviews as helpful.')).toBeVisible()

  await enrollIn(page, 'interface-design-fundamentals')
  await page.reload()
  await expect(page.getByText('Confirm your email address to review this course.')).toBeVisible()

  await card.getByRole('button', { name: 'Helpful' }).click()
  await expect(
    card.getByText('Confirm your email address to mark reviews as helpful.'),
  ).toBeVisible()

  await confirmEmail(email)
  await page.reload()
  await expect(
    page.getByText('You can review this course once you’ve completed 30% of it.'),
  ).toBeVisible()

  const helpfulButton = card.getByRole('button', { name: 'Helpful' })
  for (const isPressed of ['true', 'false']) {
    const isStored = page.waitForResponse(
      (response) => response.url().includes('/Reviews') && response.request().method() === 'POST',
    )
    await helpfulButton.click()
    await isStored
    await expect(helpfulButton).toHaveAttribute('aria-pressed', isPressed)
    await page.reload()
    await expect(helpfulButton).toHaveAttribute('aria-pressed', isPressed)
  }
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('a visitor reads, sorts and narrows down, and a vote leads to signing in', async ({
    page,
  }) => {
    await page.goto(reviews)
    await page.getByRole('link', { name: 'Lowest rated' }).click()
    await expect(page).toHaveURL(/sort=lowest/)

    await page.waitForLoadState()
    const ratings = await page
      .getByRole('tabpanel')
      .getByRole('article')
      .getByRole('img', { name: /^Rated/ })
      .evaluateAll((images) =>
        images.map((image) => Number(/\d/.exec(image.getAttribute('aria-label') ?? '')?.[0])),
      )

    expect(ratings.length).toBeGreaterThan(1)
    expect(ratings).toEqual(ratings.toSorted())

    await page.getByRole('link', { name: '5 stars' }).click()
    await expect(page.getByText('Showing 5 stars only.')).toBeVisible()
    await expect(page.getByRole('link', { name: 'Sign in to write a review' })).toBeVisible()

    await page.getByRole('button', { name: 'Helpful' }).first().click()
    await expect(page).toHaveURL(/\/Login\?from=/)
  })

  test("a learner's vote comes back to the course", async ({ page }) => {
    const { email } = await signUpNewLearner(page)
    await confirmEmail(email)
    await enrollIn(page, 'interface-design-fundamentals')
    await page.goto(reviews)
    const voteAnswered = page.waitForResponse((response) => response.request().method() === 'POST')
    await page.getByRole('button', { name: 'Helpful' }).last().click()

    expect((await voteAnswered).status()).toBe(303)
    await expect(page).toHaveURL(/interface-design-fundamentals\?tab=reviews/)
  })
})

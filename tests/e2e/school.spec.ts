import { expect, type Page } from '@playwright/test'
import { passExam, recordFinishedCourse, startExam } from '../support/exam-journey'
import {
  courseId,
  finishArticleLesson,
  openLesson,
  openNotesTab,
  videoLessonPath,
} from '../support/lesson-journey'
import {
  confirmEmailByLink,
  createCredentials,
  createPhoto,
  enroll,
  signIn,
  signInWithGoogle,
  signOut,
  signUp,
  test,
  topBar,
  waitForEmailedLink,
} from '../support/school-journey'

const newPassword = 'Another-horse-8'

test('signs up, confirms the address by the link of the mail, and sets a new password by the link of another mail', async ({
  page,
  school,
  learner,
  context,
}) => {
  await expect(topBar(page).getByText('Ada', { exact: true })).toBeVisible()

  for (const cookie of await context.cookies()) {
    expect(cookie, cookie.name).toMatchObject({ secure: true })
  }

  await confirmEmailByLink(page, school, learner)
  await page.goto('/Profile')
  await signOut(page)
  await requestNewPassword(page, learner.email)
  await page.goto(await waitForEmailedLink(school, learner, /https:\/\/\S*ResetPassword\S*/))
  await setNewPassword(page)
  await expect(page).toHaveURL(/\/(Login|Profile)/)

  await signIn(page, { ...learner, password: newPassword })
  await expect(page).toHaveURL('/Profile')
})

async function requestNewPassword(page: Page, email: string) {
  await page.goto('/Login')
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Forgot password?' }).click()
  await expect(page.getByText('Password reset email sent')).toBeVisible()
}

async function setNewPassword(page: Page) {
  await page.getByLabel('New password').fill(newPassword)
  await page.getByLabel('Confirm password').fill(newPassword)
  await page.getByRole('button', { name: 'Set new password' }).click()
}

test('signs in with Google in a window of its own, and deletes the account', async ({ page }) => {
  const { email } = createCredentials()
  await page.goto('/Login')
  await signInWithGoogle(page, page.getByRole('button', { name: 'Continue with Google' }), email)
  await expect(page).toHaveURL('/Profile')
  await expect(topBar(page).getByText('Grace', { exact: true })).toBeVisible()

  await page.goto('/Profile/settings')
  await page.getByRole('button', { name: 'Delete my account' }).click()
  const dialog = page.getByRole('dialog', { name: 'Permanently delete your account?' })
  await expect(
    dialog.getByText('You signed in or confirmed that it’s you a short while ago.'),
  ).toBeVisible()

  await dialog.getByRole('button', { name: 'Delete everything' }).click()
  await expect(page.getByText('Your account and everything in it have been deleted.')).toBeVisible()
})

test('enrolls, sees a film, reads a lesson and keeps a note', async ({ page, school, learner }) => {
  expect(learner.email).toContain('@')

  await enroll(page)
  await openLesson(page, videoLessonPath)
  await page.getByRole('button', { name: 'Play', exact: true }).click()
  const film = page.locator('video')
  await expect
    .poll(() => film.evaluate((element: HTMLVideoElement) => element.currentTime))
    .toBeGreaterThan(0.5)
  await film.evaluate((element: HTMLVideoElement) => {
    element.currentTime = 20
  })
  await expect
    .poll(() => film.evaluate((element: HTMLVideoElement) => element.currentTime))
    .toBeGreaterThan(20)
  await page.getByRole('button', { name: 'Pause', exact: true }).click()
  await openNotesTab(page)
  await page.getByLabel('New note at this moment').fill('A name is **not** a box.')
  await page.getByRole('button', { name: 'Add note' }).click()
  await expect(page.getByRole('article').locator('strong')).toHaveText('not')

  await openLesson(page, `/Learn/${courseId}/text-numbers-and-conversion`)
  await finishArticleLesson(page)
  await page.getByRole('tab', { name: 'Lessons' }).click()
  await expect(page.getByText('1 of 6 lessons done')).toBeVisible()

  // Every request went to the other process than the one before.
  const [first, second] = school.proxy.handledBy.slice(-2)
  expect(first).not.toBe(second)
})

test('passes the exam and has a certificate that names the address of the school', async ({
  page,
  school,
  learner,
  browser,
}) => {
  await confirmEmailByLink(page, school, learner)
  const uid = await recordFinishedCourse(learner.email)
  await passExam(page, uid)
  await page.getByRole('link', { name: 'See your certificate' }).click()
  await expect(page.getByText('This certificate is yours')).toBeVisible()

  const employer = await (await browser.newContext({ ignoreHTTPSErrors: true })).newPage()
  await employer.goto(page.url())
  await expect(employer.getByText('Valid. Learnify issued this certificate.')).toBeVisible()

  const credential = await readJson(employer, `${page.url()}/credential.json`)
  expect(JSON.stringify(credential)).toContain(new URL(school.publicUrl).host.replace(':', '%3A'))

  // Both processes sign with the same key.
  const again = await readJson(employer, `${page.url()}/credential.json`)
  expect(again.proof).toMatchObject({ verificationMethod: credential.proof.verificationMethod })

  await employer.context().close()
})

async function readJson(
  page: Page,
  address: string,
): Promise<{ proof: { verificationMethod: string } }> {
  return page.evaluate(async (address) => (await fetch(address)).json(), address)
}

test('changes the profile and its photo, which both processes then show, takes everything along and deletes the account', async ({
  page,
  school,
  learner,
  guard,
}) => {
  guard.allowConsoleError(/40[014]/)
  await page.goto('/Profile/settings')
  await expect(page.getByLabel('Email')).toHaveValue(learner.email)

  await page.getByLabel('Location').fill('Oslo')
  await page
    .getByLabel('Profile photo')
    .setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: await createPhoto() })
  await page.getByRole('button', { name: 'Save Changes' }).click()
  await expect(page.getByRole('status')).toHaveText('Settings saved successfully!')

  const image = page.getByRole('main').locator('form img')
  await expect(image).toHaveAttribute('src', /^\/files\/photos\//)
  expect([...school.photos.keys()].join()).toContain(
    (await image.getAttribute('src'))?.replace('/files/', ''),
  )

  for (let process = 0; process < 2; process++) {
    await page.reload()
    await expect(page.getByLabel('Location')).toHaveValue('Oslo')
    await expect
      .poll(() => image.evaluate((element: HTMLImageElement) => element.naturalWidth))
      .toBe(256)
  }

  const downloading = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download my data' }).click()
  expect((await downloading).suggestedFilename()).toMatch(/^learnify-data-.*\.zip$/)

  await page.getByRole('button', { name: 'Delete my account' }).click()
  const dialog = page.getByRole('dialog', { name: 'Permanently delete your account?' })
  await dialog.getByLabel('Your password').fill(learner.password)
  await dialog.getByRole('button', { name: 'Delete everything' }).click()
  await expect(page.getByText('Your account and everything in it have been deleted.')).toBeVisible()

  await signIn(page, learner)
  await expect(page.getByRole('alert')).toHaveText('No user found with this email address')
})

test('behind a plain proxy_pass, which tells no process its public name, a learner stays signed in', async ({
  page,
  school,
}) => {
  school.proxy.shouldForwardHost = false
  try {
    const learner = createCredentials()
    await signUp(page, learner)
    await page.goto('/AllCourses')
    await expect(topBar(page).getByText('Ada', { exact: true })).toBeVisible()
    await signOut(page)
    await signIn(page, learner)
    await expect(page).toHaveURL('/Profile')
  } finally {
    school.proxy.shouldForwardHost = true
  }
})

test('what only this machine may see is refused through the proxy', async ({ page, guard }) => {
  guard.allowConsoleError(/40[34]/)
  for (const path of ['/mail', '/sample-identity/auth']) {
    expect([403, 404], path).toContain((await page.goto(path))?.status())
  }
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('signs up, saves settings, begins an exam, fails to sign in, and asks for a new password', async ({
    page,
    context,
    guard,
    school,
    learner,
  }) => {
    guard.allowConsoleError(/40[01]/)
    await page.goto('/Profile/settings')
    await page.getByLabel('Location').fill('Oslo')
    await page
      .getByLabel('Profile photo')
      .setInputFiles({ name: 'x.png', mimeType: 'image/png', buffer: await createPhoto() })
    await page.getByRole('button', { name: 'Save Changes' }).click()
    await expect(page.getByRole('status')).toHaveText('Settings saved successfully!')

    await confirmEmailByLink(page, school, learner)
    await recordFinishedCourse(learner.email)
    await startExam(page)

    await context.clearCookies()
    await signIn(page, { ...learner, password: 'wrong-password' })
    await expect(page.getByRole('alert')).toHaveText('Incorrect password')

    await requestNewPassword(page, learner.email)
    await page.goto(await waitForEmailedLink(school, learner, /https:\/\/\S*ResetPassword\S*/))
    await setNewPassword(page)
    await signIn(page, { ...learner, password: newPassword })
    await expect(page).toHaveURL('/Profile')
  })

  test('goes to Google and back in the same window', async ({ page }) => {
    await page.goto('/Login')
    await page.getByRole('button', { name: 'Continue with Google' }).click()
    await page.getByRole('button', { name: 'Maya Okonkwo' }).click()

    await expect(page).toHaveURL('/Profile')
  })
})

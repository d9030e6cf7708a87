import type { Page } from '@playwright/test'
import { expect, test } from '../support/browser'
import { listOutboxEntries, putProgressReports } from '../support/browser-outbox'
import { signUpNewLearner } from '../support/sign-in'

const settings = '/Profile/settings'

test('deleting an account asks for the password, signs out, and removes the account and its unsent data from the browser', async ({
  page,
  context,
  guard,
}) => {
  guard.allowConsoleError(/401|ERR_FAILED/)
  const learner = await signUpNewLearner(page)
  await context.route('**/progress', (route) => route.abort())
  await page.goto(settings)
  const uid = await page.locator('#delete-account input[name=uid]').inputValue()
  await putProgressReports(page, [uid, 'another-learner'])
  await page.reload()
  await expect.poll(() => listLearnersWithEntries(page)).toEqual([uid, 'another-learner'].sort())

  const dialog = page.getByRole('dialog', { name: 'Permanently delete your account?' })
  const deleteButton = dialog.getByRole('button', { name: 'Delete everything' })
  await page.getByRole('button', { name: 'Delete my account' }).click()
  await expect(dialog.getByText('show them as withdrawn')).toBeVisible()

  await deleteButton.click()
  await expect(dialog.getByText('Password is required')).toBeVisible()

  await dialog.getByLabel('Your password').fill('not-my-password')
  await deleteButton.click()
  await expect(dialog.getByText('Incorrect password')).toBeVisible()

  await dialog.getByRole('button', { name: 'Keep my account' }).click()
  await expect(dialog).toBeHidden()

  const otherTab = await context.newPage()
  await otherTab.goto('/Profile')
  await expect(otherTab.getByRole('heading', { level: 1 })).toContainText('Ada')

  await page.getByRole('button', { name: 'Delete my account' }).click()
  await dialog.getByLabel('Your password').fill(learner.password)
  await deleteButton.click()
  await expect(page.getByText('Your account and everything in it have been deleted.')).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Account deleted')
  await expect(page).toHaveTitle('Account deleted · Learnify')
  await expect(page.getByRole('banner').getByRole('link', { name: 'Login' })).toBeVisible()
  await expect(otherTab.getByRole('banner').getByRole('link', { name: 'Login' })).toBeVisible()

  await expect.poll(() => listLearnersWithEntries(page)).toEqual(['another-learner'])

  await expect
    .poll(() => page.evaluate(() => localStorage.getItem('enrollments')))
    .not.toContain(uid)
  const { email, password } = learner
  const login = await page.request.post('/account/login', {
    data: { email, password },
    headers: { Origin: new URL(page.url()).origin },
  })
  expect(await login.json()).toEqual({ success: false, code: 'user-not-found' })
})

async function listLearnersWithEntries(page: Page) {
  return (await listOutboxEntries(page)).map(({ uid }) => uid).sort()
}

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('an account can be deleted', async ({ page }) => {
    const learner = await signUpNewLearner(page)
    await page.goto(settings)
    await page.getByRole('button', { name: 'Delete my account' }).click()
    await page.getByLabel('Your password').fill('not-my-password')
    await page.getByRole('button', { name: 'Delete everything' }).click()
    // Playwright finds no text inside <noscript>, so the element is found by its position.
    await expect(page.locator('#own-data [role=alert]')).toHaveText(
      'Nothing was deleted. Incorrect password',
    )

    await page.getByRole('button', { name: 'Delete my account' }).click()
    await page.getByLabel('Your password').fill(learner.password)
    await page.getByRole('button', { name: 'Delete everything' }).click()
    await expect(
      page.getByText('Your account and everything in it have been deleted.'),
    ).toBeVisible()

    await page.goto('/Profile')
    await expect(page).toHaveURL(/\/Login/)
  })
})

test('the archive is sent while it is created, and a HEAD request creates none', async ({
  page,
}) => {
  await signUpNewLearner(page)
  for (let times = 0; times < 6; times++) {
    expect((await page.request.head('/OwnData')).status()).toBe(200)
  }

  const response = await page.request.get('/OwnData', { headers: { 'Accept-Encoding': 'br' } })

  expect(response.headers()).toMatchObject({
    'content-type': 'application/zip',
    'cache-control': 'no-store',
  })
  expect(response.headers()).not.toHaveProperty('content-encoding')
  expect(response.headers()).not.toHaveProperty('content-length')
  expect((await response.body()).subarray(0, 2).toString()).toBe('PK')
})

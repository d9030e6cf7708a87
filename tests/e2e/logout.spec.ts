import { topBar } from '../support/account-forms'
import { expect, test } from '../support/browser'
import { hasSession, signUpNewLearner } from '../support/sign-in'

test('a logout asks for confirmation, shows an error while it fails, and leads to the home page', async ({
  page,
  guard,
}) => {
  guard.allowConsoleError(/status of 500/)
  await signUpNewLearner(page)
  await page.goto('/Profile')
  const dialog = page.getByRole('dialog', { name: 'Are you sure you want to logout?' })
  const confirmButton = dialog.getByRole('button', { name: 'Logout' })

  await page.getByRole('main').getByRole('button', { name: 'Logout' }).click()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog).toBeHidden()
  await expect(page).toHaveURL('/Profile')

  await topBar(page).getByRole('button', { name: 'Ada' }).click()
  await topBar(page).getByRole('button', { name: 'Logout' }).click()
  await page.route('**/account/logout', (route) =>
    route.fulfill({ status: 500, json: { success: false, code: 'internal-error' } }),
  )
  await confirmButton.click()
  await expect(dialog.getByText('Failed to logout')).toBeVisible()

  await page.route('**/account/logout', (route) =>
    route.fulfill({ status: 500, body: 'This text is not JSON.' }),
  )
  await confirmButton.click()
  await expect(dialog.getByText('Logout failed', { exact: true })).toBeVisible()
  await expect(page).toHaveURL('/Profile')

  await page.unroute('**/account/logout')
  await confirmButton.click()
  await expect(page).toHaveURL('/')
  await expect(topBar(page).getByRole('link', { name: 'Login' })).toBeVisible()

  expect(await hasSession(page)).toBe(false)
})

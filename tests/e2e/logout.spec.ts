import { topBar } from '../support/account-forms'
import { expect, test } from '../support/browser'
import { signUpNewLearner } from '../support/sign-in'

test('a logout asks for confirmation and leads to the home page', async ({ page }) => {
  await signUpNewLearner(page)
  await page.goto('/AllCourses')
  await topBar(page).getByRole('button', { name: 'Ada' }).click()
  await topBar(page).getByRole('button', { name: 'Logout' }).click()
  const question = page.getByRole('dialog', { name: 'Are you sure you want to logout?' })
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(question).toBeHidden()
  await topBar(page).getByRole('button', { name: 'Logout' }).click()
  await question.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL(/\/$/)
  await expect(topBar(page).getByRole('link', { name: 'Login' })).toBeVisible()
  await page.goto('/Profile')
  await expect(page).toHaveURL(/\/Login$/)
})

test('a failed logout shows an error', async ({ page, guard }) => {
  guard.allowConsoleError(/status of 500/)
  await signUpNewLearner(page)
  await page.goto('/')
  await page.route('**/account/logout', (route) =>
    route.fulfill({ status: 500, json: { success: false, code: 'internal-error' } }),
  )
  await topBar(page).getByRole('button', { name: 'Ada' }).click()
  await topBar(page).getByRole('button', { name: 'Logout' }).click()
  const question = page.getByRole('dialog')
  await question.getByRole('button', { name: 'Logout' }).click()
  await expect(question.getByText('Failed to logout')).toBeVisible()
})

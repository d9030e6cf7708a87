import type { Page } from '@playwright/test'
import { refusedRequestError } from '../support/account-forms'
import { expect, test } from '../support/browser'
import { delayRequests } from '../support/delay-requests'
import { waitForHydration } from '../support/hydration'

/** A page whose own script is still on its way. @returns what lets it arrive. */
async function openWithoutScript(page: Page, path: string): Promise<() => void> {
  const release = await delayRequests(page, '**/assets/*.js')
  await page.goto(path, { waitUntil: 'commit' })
  return release
}

test.describe('before the script of the page has arrived', () => {
  test('a button that needs it is disabled', async ({ page }) => {
    const deliverScript = await openWithoutScript(page, '/OneCourse?tab=curriculum')
    const waiting = ['Enroll Now', 'Expand all sections', 'Switch between light and dark']
    for (const name of waiting) {
      await expect(page.getByRole('button', { name })).toBeDisabled()
    }

    deliverScript()
    for (const name of waiting) {
      await expect(page.getByRole('button', { name })).toBeEnabled()
    }

    await page.getByRole('button', { name: 'Enroll Now' }).click()
    await expect(page.getByRole('button', { name: '✓ Enrolled' })).toBeVisible()
  })

  test('a form is sent by the browser', async ({ page, guard }) => {
    guard.allowConsoleError(refusedRequestError)
    const deliverScript = await openWithoutScript(page, '/Login')
    await expect(page.getByRole('button', { name: 'Use demo credentials' })).toBeDisabled()
    await page.getByLabel('Email').fill('nobody@learnify.example')
    await page.getByLabel('Password').fill('wrong-password')
    const formResponse = page.waitForResponse((response) => response.request().method() === 'POST')
    await page.getByRole('button', { name: 'Sign In', exact: true }).click()
    expect((await formResponse).url()).toMatch(/\/Login$/)
    await expect(
      page.getByRole('alert').filter({ hasText: 'No user found with this email address' }),
    ).toBeVisible()
    await expect(page.getByLabel('Email')).toHaveValue('nobody@learnify.example')
    deliverScript()
  })

  test('a preview is a link to its film', async ({ page }) => {
    await openWithoutScript(page, '/OneCourse?tab=curriculum')
    const film = page.getByRole('link', { name: /From an Address to a Page/ })
    await expect(film).toHaveAttribute('href', /\.mp4$/)
  })

  test('what is typed in the login form stays', async ({ page }) => {
    const deliverScript = await openWithoutScript(page, '/Login')
    await page.getByLabel('Email').fill('ada@learnify.example')
    deliverScript()
    await waitForHydration(page)
    await expect(page.getByLabel('Email')).toHaveValue('ada@learnify.example')
  })

  test('what is typed in the search gets suggestions', async ({ page }) => {
    const deliverScript = await openWithoutScript(page, '/')
    await page.getByRole('combobox', { name: 'Search Learnify' }).pressSequentially('pyth')
    deliverScript()
    await expect(page.getByRole('option', { name: /Python from Zero/ }).first()).toBeVisible()
  })

  test('a filter that is chosen is applied', async ({ page }) => {
    const deliverScript = await openWithoutScript(page, '/AllCourses')
    await page.getByRole('combobox', { name: 'Search courses' }).fill('python')
    deliverScript()
    await expect(page).toHaveURL(/q=python/)
  })

  test('a new password shows its strength', async ({ page }) => {
    const deliverScript = await openWithoutScript(page, '/SignUp')
    await page.getByLabel('Password', { exact: true }).fill('Abcdefghi1')
    deliverScript()
    await expect(page.getByText('Password strength:')).toHaveText(/^Password strength: strong/)
  })

  test('the menu of a phone opens, and stays open', async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    const deliverScript = await openWithoutScript(page, '/')
    await page.getByRole('button', { name: 'Menu' }).click()
    deliverScript()
    await waitForHydration(page)
    await page
      .getByRole('navigation', { name: 'Main' })
      .getByRole('link', { name: 'Courses', exact: true })
      .click()
    await expect(page).toHaveURL('/AllCourses')
  })
})

import type { Page } from '@playwright/test'
import { refusedRequestError } from '../support/account-forms'
import { expect, test } from '../support/browser'
import { delayRequests } from '../support/delay-requests'
import { waitForHydration } from '../support/hydration'

/**
 * Opens a page whose scripts are still loading.
 *
 * @returns delivers the scripts
 */
async function openBeforeScripts(page: Page, path: string): Promise<() => void> {
  const deliverScripts = await delayRequests(page, '**/assets/*.js')
  await page.goto(path, { waitUntil: 'commit' })
  return deliverScripts
}

test.describe('before the scripts of a page have loaded', () => {
  test('a button that needs them is disabled, and a preview is a link to its video', async ({
    page,
  }) => {
    const deliverScripts = await openBeforeScripts(page, '/OneCourse?tab=curriculum')
    const buttons = ['Enroll Now', 'Expand all sections', 'Switch between light and dark'].map(
      (name) => page.getByRole('button', { name }),
    )
    for (const button of buttons) {
      await expect(button).toBeDisabled()
    }
    await expect(page.getByRole('link', { name: /From an Address to a Page/ })).toHaveAttribute(
      'href',
      /\.mp4$/,
    )

    deliverScripts()

    for (const button of buttons) {
      await expect(button).toBeEnabled()
    }
    await page.getByRole('button', { name: 'Enroll Now' }).click()
    await expect(page.getByRole('button', { name: '✓ Enrolled' })).toBeVisible()
  })

  test('a form is sent by the browser, and what is typed stays', async ({ page, guard }) => {
    guard.allowConsoleError(refusedRequestError)
    const deliverScripts = await openBeforeScripts(page, '/Login')
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

    await page.getByLabel('Email').fill('ada@learnify.example')
    deliverScripts()
    await waitForHydration(page)
    await expect(page.getByLabel('Email')).toHaveValue('ada@learnify.example')
  })

  test('what is typed in the search gets suggestions', async ({ page }) => {
    const deliverScripts = await openBeforeScripts(page, '/')
    await page.getByRole('combobox', { name: 'Search Learnify' }).pressSequentially('pyth')
    deliverScripts()

    await expect(page.getByRole('option', { name: /Python from Zero/ }).first()).toBeVisible()
  })

  test('a filter that is chosen is applied', async ({ page }) => {
    const deliverScripts = await openBeforeScripts(page, '/AllCourses')
    await page.getByRole('combobox', { name: 'Search courses' }).fill('python')
    deliverScripts()

    await expect(page).toHaveURL(/q=python/)
  })

  test('a new password shows its strength', async ({ page }) => {
    const deliverScripts = await openBeforeScripts(page, '/SignUp')
    await page.getByLabel('Password', { exact: true }).fill('Abcdefghi1')
    deliverScripts()

    await expect(page.getByText('Password strength:')).toHaveText(/^Password strength: strong/)
  })

  test('the menu of a phone opens, and stays open', async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    const deliverScripts = await openBeforeScripts(page, '/')
    await page.getByRole('button', { name: 'Menu' }).click()
    deliverScripts()
    await waitForHydration(page)
    await page
      .getByRole('navigation', { name: 'Main' })
      .getByRole('link', { name: 'Courses', exact: true })
      .click()

    await expect(page).toHaveURL('/AllCourses')
  })
})

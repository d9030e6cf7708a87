import type { Page } from '@playwright/test'
import { expect, test } from '../support/browser'
import { holdBack } from '../support/hold-back'
import { hydrated } from '../support/hydration'

/** A page whose own script is still on its way. @returns what lets it arrive. */
async function openWithoutScript(page: Page, path: string): Promise<() => void> {
  const release = await holdBack(page, '**/assets/*.js')
  await page.goto(path, { waitUntil: 'commit' })
  return release
}

test.describe('what is pressed or typed before the script of the page has arrived', () => {
  test('enrolls once it has', async ({ page }) => {
    const arrive = await openWithoutScript(page, '/OneCourse')
    await page.getByRole('button', { name: 'Enroll Now' }).click()
    arrive()
    await expect(page.getByRole('button', { name: '✓ Enrolled' })).toBeVisible()
    await expect(page).toHaveURL('/OneCourse')
  })

  test('enrolls, too, when the script arrives in the middle of the press', async ({ page }) => {
    const arrive = await openWithoutScript(page, '/OneCourse')
    await page.getByRole('button', { name: 'Enroll Now' }).hover()
    await page.mouse.down()
    arrive()
    await hydrated(page)
    await page.mouse.up()
    await expect(page.getByRole('button', { name: '✓ Enrolled' })).toBeVisible()
  })

  test('opens the preview once it has', async ({ page }) => {
    const arrive = await openWithoutScript(page, '/OneCourse?tab=curriculum')
    await page.getByRole('link', { name: /From an Address to a Page/ }).click()
    arrive()
    await expect(page.getByRole('dialog', { name: 'From an Address to a Page' })).toBeVisible()
  })

  test('fills and sends the login form once it has, in the order of the presses', async ({ page }) => {
    const arrive = await openWithoutScript(page, '/Login')
    await page.getByRole('button', { name: 'Use demo credentials' }).click()
    await page.getByRole('button', { name: 'Sign In', exact: true }).click()
    arrive()
    await expect(page).toHaveURL('/Profile')
  })

  test('gets suggestions once it has, in the search', async ({ page }) => {
    const arrive = await openWithoutScript(page, '/')
    await page.getByRole('combobox', { name: 'Search Learnify' }).pressSequentially('pyth')
    arrive()
    await expect(page.getByRole('option', { name: /Python from Zero/ }).first()).toBeVisible()
  })

  test('shows its strength once it has, as a new password', async ({ page }) => {
    const arrive = await openWithoutScript(page, '/SignUp')
    await page.getByLabel('Password', { exact: true }).fill('Learnify2026')
    arrive()
    await expect(page.getByText('Password strength:')).toHaveText('Password strength: strong')
  })

  test('leaves the menu of a phone open', async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    const arrive = await openWithoutScript(page, '/')
    await page.getByRole('button', { name: 'Menu' }).click()
    arrive()
    await hydrated(page)
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Courses', exact: true }).click()
    await expect(page).toHaveURL('/AllCourses')
  })

  test('is done however late it comes, where there is no way without', async ({ page }) => {
    await page.clock.install()
    const arrive = await openWithoutScript(page, '/OneCourse?tab=curriculum')
    const sections = page.getByRole('tabpanel').locator('details')
    await page.getByRole('button', { name: 'Expand all sections' }).click()
    await page.clock.fastForward(8000)
    await page.getByRole('button', { name: 'Switch between light and dark' }).click()
    arrive()
    await expect(page.getByRole('button', { name: 'Collapse all sections' })).toBeVisible()
    expect(await sections.evaluateAll((all) => all.every((one) => one.hasAttribute('open')))).toBe(true)
    await page.clock.runFor(100)
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  })

  test('is not waited for without end: the way without a script is gone then', async ({ page, guard }) => {
    guard.allowConsoleError(/ERR_FAILED/)
    await page.route('**/assets/*.js', (route) => route.abort())
    await page.clock.install()
    await page.goto('/OneCourse')
    await page.getByRole('button', { name: 'Enroll Now' }).click()
    await expect(page).toHaveURL('/OneCourse')
    await page.clock.fastForward(8000)
    await expect(page).toHaveURL(/\/Login/)
  })
})

import { expectAccessible } from '../support/accessibility'
import { expect, test } from '../support/browser'
import { startProductWithoutOwner } from '../support/desk-journey'

const school = await startProductWithoutOwner({})

test('an owner answers the questions of the first visit by keyboard', async ({ page }) => {
  test.slow()
  // The tests' content has one course that Learnify does not come with.
  await school.runQuery("delete from content_courses where course_id = 'three-knots'", [])
  await school.becomeOwner(page)
  await expect(page.getByRole('heading', { name: 'Set up your school' })).toBeVisible()
  await expectAccessible(page)

  // The yen has no decimals, so that all prices are read again.
  await page.getByLabel('Currency').selectOption('JPY')
  await page.getByLabel('Name of the school').focus()
  await page.keyboard.type('Chess & Co')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('status')).toContainText('The school is set up.')

  await expect(async () => {
    await page.goto('/OneCourse/python-from-zero')
    await expect(page.getByText('¥89', { exact: true }).first()).toBeVisible({ timeout: 1_000 })
  }).toPass({ timeout: 30_000 })
})

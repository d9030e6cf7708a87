import type { Page } from '@playwright/test'
import { expectAccessible, expectToFit } from '../support/accessibility'
import { expect, test } from '../support/browser'
import { startProductWithoutOwner } from '../support/desk-journey'
import { checkoutPath } from '../support/shop-journey'

// Nothing listens at this URL, so Stripe can't be reached.
const school = await startProductWithoutOwner({ STRIPE_API_URL: 'http://127.0.0.1:1' })

const testKey = 'sk_test_0123456789abcdEFGH'
const webhookSecret = 'whsec_0123456789abcdWXYZ'
const paymentsPart = (page: Page) =>
  page.locator('details', { hasText: 'How courses are paid for' })
const summary = (page: Page) => paymentsPart(page).locator('summary')
const status = (page: Page) => page.getByRole('status')

test('an owner enters, replaces and removes Stripe’s keys by keyboard, and sells without a restart', async ({
  page,
  guard,
}) => {
  test.slow()
  // The refused form.
  guard.allowConsoleError(/status of 400/)
  await school.becomeOwner(page)
  await page.goto('/Desk/Site')

  await test.step('a wrong key is refused at its field', async () => {
    await summary(page).focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await page.keyboard.type('Stripe')
    await page.keyboard.press('Tab')
    await page.keyboard.type('pk_test_0123456789abcd')
    await page.keyboard.press('Tab')
    await page.keyboard.type(webhookSecret)
    await page.keyboard.press('Enter')
    const field = page.getByLabel('Stripe secret key')
    await expect(field).toHaveAccessibleDescription(/begins with sk_live_/)
    await expect(paymentsPart(page).getByLabel('How courses are paid for')).toHaveValue('stripe')
    await expectAccessible(page)

    await field.fill(testKey)
    await page.keyboard.press('Enter')
    await expect(status(page)).toHaveText(
      'Payments: saved. Pages show it within two seconds. Stripe can’t be reached right now, so the key was not checked.',
    )
  })

  await test.step('the keys are named and never shown again', async () => {
    await expect(summary(page)).toContainText('Stripe in test mode, keys sk_test_...EFGH')

    await summary(page).press('Enter')
    await expect(page.getByLabel('Stripe secret key')).toHaveValue('')
    expect(await page.content()).not.toContain(testKey)
    await expectToFit(page)
    await expectAccessible(page)

    await page.goto('/Desk')
    await expect(page.getByText('Payments are in test mode')).toBeVisible()
  })

  await test.step('a new key replaces the saved one', async () => {
    await page.goto('/Desk/Site#money')
    await summary(page).press('Enter')
    await page.getByLabel('Stripe secret key').fill('rk_live_0123456789abcdIJKL')
    await page.getByLabel('Stripe webhook secret').fill(webhookSecret)
    await page.keyboard.press('Enter')

    await expect(summary(page)).toContainText('Stripe, keys rk_live_...IJKL and whsec_...WXYZ')
  })

  await test.step('with sample payments, a course is sold at once', async () => {
    await summary(page).press('Enter')
    await page.getByLabel('How courses are paid for').selectOption('sample')
    await page.getByLabel('Remove the saved keys').check()
    await paymentsPart(page).getByRole('button', { name: 'Save' }).click()
    await expect(summary(page)).toContainText('sample payments, which move no money')
    await expect(summary(page)).not.toContainText('IJKL')

    await page.goto(checkoutPath)
    await page.getByRole('button', { name: /^Pay \$/ }).click()
    await expect(page).toHaveTitle('Pay · Sample payments')

    await page.getByRole('button', { name: 'Go back without paying' }).click()
    await expect(page).toHaveURL(/\/Checkout\//)
  })

  await test.step('sales are paused after the owner has confirmed it', async () => {
    await page.goto('/Desk/Site#money')
    await summary(page).press('Enter')
    await page.getByLabel('How courses are paid for').selectOption('paused')
    await paymentsPart(page).getByRole('button', { name: 'Save' }).click()
    await expect(page.getByLabel('How courses are paid for')).toHaveAccessibleDescription(
      /courses with a price can’t be bought/,
    )
    await expectAccessible(page)

    await page.getByLabel('Stop selling courses').check()
    await paymentsPart(page).getByRole('button', { name: 'Save' }).click()
    await expect(summary(page)).toContainText('paused, nothing can be bought')

    await page.goto(checkoutPath)
    await expect(page.getByText('This course can’t be bought at the moment.').first()).toBeVisible()
  })
})

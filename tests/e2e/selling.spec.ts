import { expectAccessible, expectToFit } from '../support/accessibility'
import { createEmail, fillSignUpForm } from '../support/account-forms'
import { expect, test } from '../support/browser'
import { waitForHydration } from '../support/hydration'
import {
  addCompany,
  buyCourse,
  checkoutPath,
  companyField,
  countryField,
  courseId,
  goToPayment,
  leavePayment,
  otherCountry,
  pageHeading,
  pressButton,
  startSellingProduct,
} from '../support/shop-journey'
import { signUpNewLearner } from '../support/sign-in'

const shop = await startSellingProduct()
test.describe.configure({ mode: 'default' })

test.beforeAll(async () => {
  const database = await shop.connectDatabase()
  await database.query(
    "insert into coupons (code, percent) values ('QUARTER2026', 25), ('WHOLE2026', 100)",
  )
  const seller = { name: 'Harbor School', address: '1 Quay Street\n20457 Hamburg', taxId: '' }
  await database.query(
    "insert into site_versions (part, version, value, by) values ('seller', 1, $1, 'owner')",
    [JSON.stringify(seller)],
  )
  await database.query('update product_state set version = version + 1')
  await database.end()
})

test('a visitor signs up on the way, buys a course after the card was declined once, and finds the lessons and the receipt', async ({
  page,
}) => {
  test.slow()
  await page.goto(`/OneCourse/${courseId}`)
  await page.getByRole('link', { name: 'Enroll Now' }).first().click()
  await expect(page).toHaveURL(/\/Login\?from=/)

  await page.getByRole('link', { name: 'Create an account' }).click()
  await expect(page).toHaveURL(/\/SignUp\?from=/)

  await fillSignUpForm(page, createEmail())
  await pressButton(page, 'Create Account')
  await expect(page).toHaveURL(checkoutPath)
  await expect(pageHeading(page)).toHaveText('Checkout')

  await addCompany(page, 'Analytical Engines Ltd')
  await countryField(page).selectOption('DE')
  await expect(page.getByText('Includes 19% tax')).toBeVisible()
  await expectAccessible(page)

  const paymentPage = await goToPayment(page)
  await pressButton(page, 'Decline the card')
  await expect(page.getByRole('alert')).toHaveText('Your card was declined. Try again.')
  await expectAccessible(page)

  await leavePayment(page, 'Pay')
  await expect(pageHeading(page)).toHaveText('You’re enrolled')
  await expect(page).toHaveTitle('You’re enrolled · Learnify')
  await expectAccessible(page)

  await page.goto(paymentPage)
  await expect(page.getByText('This payment is done.')).toBeVisible()

  await page.goto('/Profile/settings')
  await page.getByRole('link', { name: 'See your purchases' }).click()
  await expect(page).toHaveURL('/Profile/purchases')
  await expect(page.getByText(/^Paid · /)).toBeVisible()
  await expectAccessible(page)

  await page.getByRole('link', { name: /^Receipt \d+$/ }).click()
  await expect(pageHeading(page)).toHaveText(/^Receipt \d+$/)
  await expect(page).toHaveTitle(/^Receipt \d+ · Learnify$/)

  for (const text of ['Harbor School', 'Analytical Engines Ltd', 'Includes 19% tax']) {
    await expect(page.getByText(text)).toBeVisible()
  }

  await expectAccessible(page)

  await page.goto(checkoutPath)
  await expect(pageHeading(page)).toHaveText('You already have this course')
  await expectAccessible(page)

  await page.getByRole('link', { name: 'Go to the lessons' }).click()
  await expect(page).toHaveURL(new RegExp(`/Learn/${courseId}/`))
})

test('a learner who has left a bought course gets it back at checkout, without paying again', async ({
  page,
}) => {
  await signUpNewLearner(page)
  await buyCourse(page, shop.url)

  await page.goto(`/OneCourse/${courseId}`)
  await pressButton(page, 'Leave course')
  await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible()

  await page.goto(checkoutPath)
  await pressButton(page, 'Put it back in my courses')

  await expect(page).toHaveURL('/Profile/current-courses')
  await expect(page.getByRole('link', { name: 'Python from Zero' }).first()).toBeVisible()
})

test('a learner who goes back without paying continues the same order with the entered values', async ({
  page,
}) => {
  await signUpNewLearner(page)
  await page.goto(checkoutPath)
  await addCompany(page, 'Analytical Engines Ltd')
  await countryField(page).selectOption(otherCountry)
  const paymentPage = await goToPayment(page)
  await leavePayment(page, 'Go back without paying')
  await expect(page.getByText('You haven’t paid yet.')).toBeVisible()
  await expect(companyField(page)).toHaveValue('Analytical Engines Ltd')
  await expect(countryField(page)).toHaveValue(otherCountry)

  await page.goto('/Profile/purchases')
  await expect(page.getByText(/^Not paid · /)).toBeVisible()

  await page.getByRole('link', { name: 'Continue to payment' }).click()
  await companyField(page).fill('Difference Engines Ltd')
  await expect(countryField(page)).toHaveValue(otherCountry)
  expect(await goToPayment(page)).toBe(paymentPage)

  await page.goBack()
  await waitForHydration(page)
  await expect(countryField(page)).toHaveValue(otherCountry)
  expect(await goToPayment(page)).toBe(paymentPage)

  await leavePayment(page, 'Pay')
  await page.getByRole('link', { name: 'See the receipt' }).click()
  await page.getByRole('link', { name: /^Receipt \d+$/ }).click()
  await expect(page.getByText('Difference Engines Ltd')).toBeVisible()
})

test('a bank debit opens the course once the money has arrived, and one that the bank refuses can be paid again', async ({
  page,
}) => {
  await signUpNewLearner(page)
  await page.goto(checkoutPath)
  await countryField(page).selectOption(otherCountry)
  const refusedPaymentPage = await goToPayment(page)
  await leavePayment(page, 'Pay later, as by bank debit')
  await expect(pageHeading(page)).toHaveText('Your payment is on its way')
  await expectAccessible(page)

  await page.goto(checkoutPath)
  await expect(pageHeading(page)).toHaveText('Your payment is on its way')

  await page.goto(refusedPaymentPage)
  await leavePayment(page, 'Let the bank refuse it')
  await expect(pageHeading(page)).toHaveText('Your payment didn’t go through')
  await expectAccessible(page)

  await page.getByRole('link', { name: 'Back to checkout' }).click()
  await expect(countryField(page)).toHaveValue(otherCountry)

  const paymentPage = await goToPayment(page)
  expect(paymentPage).not.toBe(refusedPaymentPage)

  await leavePayment(page, 'Pay later, as by bank debit')
  await expect(pageHeading(page)).toHaveText('Your payment is on its way')

  await page.goto(paymentPage)
  await leavePayment(page, 'Let the money arrive')
  await expect(pageHeading(page)).toHaveText('You’re enrolled')
})

test('a coupon lowers the price at once, and a coupon for the whole price enrolls without a payment', async ({
  page,
}) => {
  await signUpNewLearner(page)
  await page.goto(checkoutPath)
  await addCompany(page, 'Analytical Engines Ltd')
  await page.getByText('Add a coupon').click()
  await page.getByLabel('Coupon code').fill('no-such-code')
  await pressButton(page, 'Apply')
  await expect(page.getByText('There’s no coupon with this code.')).toBeVisible()
  await expectAccessible(page)

  await page.getByLabel('Coupon code').fill('quarter 2026')
  await page.getByLabel('Coupon code').press('Enter')
  await expect(page.getByText('Coupon QUARTER2026 takes off $22.25.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Pay $66.75' })).toBeVisible()
  await expect(companyField(page)).toHaveValue('Analytical Engines Ltd')

  await page.getByRole('link', { name: 'Remove the coupon' }).click()
  await expect(page.getByRole('button', { name: 'Pay $89.00' })).toBeVisible()
  await expect(companyField(page)).toHaveValue('Analytical Engines Ltd')

  await page.goto(`${checkoutPath}?coupon=whole2026`)
  await pressButton(page, 'Enroll for free')
  await expect(pageHeading(page)).toHaveText('You’re enrolled')

  await page.getByRole('link', { name: 'Start the first lesson' }).click()
  await expect(page).toHaveURL(new RegExp(`/Learn/${courseId}/`))
})

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false, viewport: { width: 390, height: 844 }, colorScheme: 'dark' })

  test('a learner applies a coupon, which keeps the entered values, and buys the course', async ({
    page,
  }) => {
    await signUpNewLearner(page)
    await page.goto(`/OneCourse/${courseId}`)
    await page.getByRole('link', { name: 'Enroll Now' }).first().click()
    await addCompany(page, 'Analytical Engines Ltd')
    await countryField(page).selectOption(otherCountry)
    await page.getByText('Add a coupon').click()
    await page.getByLabel('Coupon code').fill('quarter2026')
    await pressButton(page, 'Apply')
    await expect(page.getByText('Coupon QUARTER2026 takes off $22.25.')).toBeVisible()
    await expect(companyField(page)).toHaveValue('Analytical Engines Ltd')
    await expect(countryField(page)).toHaveValue(otherCountry)
    await expectToFit(page)

    await goToPayment(page)
    await expect(page.getByText('$66.75')).toBeVisible()

    await pressButton(page, 'Decline the card')
    await expect(page.getByRole('alert')).toHaveText('Your card was declined. Try again.')

    await pressButton(page, 'Pay')
    await expect(pageHeading(page)).toHaveText('You’re enrolled')

    await page.goto('/Profile/settings')
    await page.getByRole('link', { name: 'See your purchases' }).click()
    await page.getByRole('link', { name: /^Receipt \d+$/ }).click()
    await expect(page.getByText('Analytical Engines Ltd')).toBeVisible()
  })
})

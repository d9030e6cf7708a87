import type { Page } from '@playwright/test'
import { expectAccessible, expectToFit } from '../support/accessibility'
import { createEmail, fillSignUpForm } from '../support/account-forms'
import { expect, test } from '../support/browser'
import { connectDatabase, findFreePort, type Product, startProduct } from '../support/product'
import { signUpNewLearner } from '../support/sign-in'

/** A product of its own, because this one sells. */
const port = await findFreePort()
const url = `http://localhost:${port}`
test.use({ baseURL: url })
test.describe.configure({ mode: 'default' })

const course = 'python-from-zero'
const title = 'Python from Zero'
const checkout = `/Checkout/${course}`

let product: Product | undefined
test.beforeAll(async () => {
  test.setTimeout(300_000)
  product = await startProduct({
    port,
    variables: { PUBLIC_URL: url, PAYMENTS: 'sample', TAX_RATES: 'DE=19 *=0' },
  })
  const database = await connectDatabase({ folder: product.folder })
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
test.afterAll(() => product?.stop())

const heading = (page: Page) => page.getByRole('heading', { level: 1 })
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const payButton = (page: Page) => page.getByRole('button', { name: /^Pay \$/ })

async function fillCompany(page: Page, name: string) {
  await expect(heading(page)).toHaveText('Checkout')
  const company = page.getByLabel('Company')
  if (await company.isHidden()) {
    await page.getByText('Add a company or an address').click()
  }

  await company.fill(name)
}

/** From checkout to the page of the stand-in for Stripe. */
async function goPay(page: Page): Promise<string> {
  const country = page.getByLabel('Country')
  if ((await country.inputValue()) === '') {
    await country.selectOption('Another country')
  }

  await payButton(page).click()
  await expect(page).toHaveTitle('Pay · Sample payments')

  return page.url()
}

async function checkOut(page: Page): Promise<string> {
  await page.goto(checkout)
  await expect(heading(page)).toHaveText('Checkout')
  return goPay(page)
}

test('a learner buys a course by card, and finds the lesson, the receipt and the way to purchases', async ({
  page,
}) => {
  test.slow()
  await signUpNewLearner(page)
  await page.goto(`/OneCourse/${course}`)
  await page.getByRole('link', { name: 'Enroll Now' }).first().click()
  await expect(page).toHaveURL(checkout)
  await expect(heading(page)).toHaveText('Checkout')
  await fillCompany(page, 'Analytical Engines Ltd')
  await page.getByLabel('Country').selectOption('DE')
  await expect(page.getByText('Includes 19% tax')).toBeVisible()
  await expectAccessible(page)
  await goPay(page)
  await expectAccessible(page)
  await press(page, 'Pay')
  await expect(heading(page)).toHaveText('You’re enrolled')
  await expect(page).toHaveTitle('You’re enrolled · Learnify')
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Ada' }).click()
  await page.getByRole('link', { name: 'Purchases', exact: true }).click()
  await expect(page).toHaveURL('/Profile/purchases')
  await expect(page.getByText(/^Paid · /)).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: /^Receipt \d+$/ }).click()
  await expect(heading(page)).toHaveText(/^Receipt \d+$/)
  await expect(page).toHaveTitle(/^Receipt \d+ · Learnify$/)
  for (const text of ['Harbor School', 'Analytical Engines Ltd', 'Includes 19% tax']) {
    await expect(page.getByText(text)).toBeVisible()
  }

  await expectAccessible(page)

  await page.goto('/Profile/settings')
  await page.getByRole('link', { name: 'See your purchases' }).click()
  await page.getByRole('link', { name: title }).click()
  await expect(page).toHaveURL(new RegExp(`/Learn/${course}/`))
})

test('a learner who has the course is told so instead of paying again', async ({ page }) => {
  test.slow()
  await signUpNewLearner(page)
  const paymentPage = await checkOut(page)
  const otherTab = await page.context().newPage()
  await checkOut(otherTab)
  expect(otherTab.url()).toBe(paymentPage)
  await press(page, 'Pay')
  await expect(heading(page)).toHaveText('You’re enrolled')
  await otherTab.reload()
  await expect(otherTab.getByText('This payment is done.')).toBeVisible()
  await page.goto(checkout)
  await expect(heading(page)).toHaveText('You already have this course')
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Go to the lessons' }).click()
  await expect(page).toHaveURL(new RegExp(`/Learn/${course}/`))

  await page.goto(`/OneCourse/${course}`)
  await press(page, 'Leave course')
  await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible()
  await page.goto(checkout)
  await press(page, 'Put it back in my courses')
  await expect(page).toHaveURL('/Profile/current-courses')
  await expect(page.getByRole('link', { name: title }).first()).toBeVisible()
})

test('a declined card can be tried again, and is charged once', async ({ page }) => {
  await signUpNewLearner(page)
  const paymentPage = await checkOut(page)
  await press(page, 'Decline the card')
  await expect(page.getByRole('alert')).toHaveText('Your card was declined. Try again.')
  await expectAccessible(page)
  await press(page, 'Pay')
  await expect(heading(page)).toHaveText('You’re enrolled')
  await page.goto(paymentPage)
  await expect(page.getByText('This payment is done.')).toBeVisible()
  await page.goto('/Profile/purchases')
  await expect(page.getByRole('link', { name: /^Receipt \d+$/ })).toHaveCount(1)
})

test('a learner who goes back without paying continues the same order with the entered values', async ({
  page,
}) => {
  await signUpNewLearner(page)
  await page.goto(checkout)
  await fillCompany(page, 'Analytical Engines Ltd')
  const paymentPage = await goPay(page)
  await press(page, 'Go back without paying')
  await expect(page.getByText('You haven’t paid yet.')).toBeVisible()
  await expect(page.getByLabel('Company')).toHaveValue('Analytical Engines Ltd')
  await page.goto('/Profile/purchases')
  await expect(page.getByText(/^Not paid · /)).toBeVisible()
  await page.getByRole('link', { name: 'Continue to payment' }).click()
  await fillCompany(page, 'Difference Engines Ltd')
  expect(await goPay(page)).toBe(paymentPage)
  await page.goBack()
  await expect(payButton(page)).toBeEnabled()
  expect(await goPay(page)).toBe(paymentPage)
  await press(page, 'Pay')
  await page.getByRole('link', { name: 'See the receipt' }).click()
  await page.getByRole('link', { name: /^Receipt \d+$/ }).click()
  await expect(page.getByText('Difference Engines Ltd')).toBeVisible()
})

test('a bank debit opens the course once the money has arrived', async ({ page }) => {
  await signUpNewLearner(page)
  const paymentPage = await checkOut(page)
  await press(page, 'Pay later, as by bank debit')
  await expect(heading(page)).toHaveText('Your payment is on its way')
  await expectAccessible(page)
  await page.goto(checkout)
  await expect(heading(page)).toHaveText('Your payment is on its way')
  await page.goto(paymentPage)
  await press(page, 'Let the money arrive')
  await expect(heading(page)).toHaveText('You’re enrolled')
})

test('a payment that the bank refuses can be made in another way', async ({ page }) => {
  await signUpNewLearner(page)
  const paymentPage = await checkOut(page)
  await press(page, 'Pay later, as by bank debit')
  await expect(heading(page)).toHaveText('Your payment is on its way')
  await page.goto(paymentPage)
  await press(page, 'Let the bank refuse it')
  await expect(heading(page)).toHaveText('Your payment didn’t go through')
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Back to checkout' }).click()
  expect(await goPay(page)).not.toBe(paymentPage)
  await press(page, 'Pay')
  await expect(heading(page)).toHaveText('You’re enrolled')
})

test('a visitor signs up on the way and comes back to checkout', async ({ page }) => {
  await page.goto(`/OneCourse/${course}`)
  await page.getByRole('link', { name: 'Enroll Now' }).first().click()
  await expect(page).toHaveURL(/\/Login\?from=/)
  await page.getByRole('link', { name: 'Create an account' }).click()
  await expect(page).toHaveURL(/\/SignUp\?from=/)
  await fillSignUpForm(page, createEmail())
  await press(page, 'Create Account')
  await expect(page).toHaveURL(checkout)
  await goPay(page)
  await press(page, 'Pay')
  await expect(heading(page)).toHaveText('You’re enrolled')
})

test('a coupon lowers the price at once, and a coupon for the whole price enrolls without a payment', async ({
  page,
}) => {
  test.slow()
  await signUpNewLearner(page)
  await page.goto(checkout)
  await fillCompany(page, 'Analytical Engines Ltd')
  await page.getByText('Add a coupon').click()
  await page.getByLabel('Coupon code').fill('no-such-code')
  await press(page, 'Apply')
  await expect(page.getByText('There’s no coupon with this code.')).toBeVisible()
  await expectAccessible(page)
  await page.getByLabel('Coupon code').fill('quarter 2026')
  await page.getByLabel('Coupon code').press('Enter')
  await expect(page.getByText('Coupon QUARTER2026 takes off $22.25.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Pay $66.75' })).toBeVisible()
  await expect(page.getByLabel('Company')).toHaveValue('Analytical Engines Ltd')
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Remove the coupon' }).click()
  await expect(page.getByRole('button', { name: 'Pay $89.00' })).toBeVisible()
  await expect(page.getByLabel('Company')).toHaveValue('Analytical Engines Ltd')

  await page.goto(`${checkout}?coupon=whole2026`)
  await press(page, 'Enroll for free')
  await expect(heading(page)).toHaveText('You’re enrolled')
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Start the first lesson' }).click()
  await expect(page).toHaveURL(new RegExp(`/Learn/${course}/`))
})

test('a visitor with a coupon’s link signs up and comes back to the lower price', async ({
  page,
}) => {
  await page.goto(`${checkout}?coupon=QUARTER2026`)
  await page.getByRole('link', { name: 'Create an account' }).click()
  await fillSignUpForm(page, createEmail())
  await press(page, 'Create Account')
  await expect(page.getByRole('button', { name: 'Pay $66.75' })).toBeVisible()
})

/** Fills the gift's part of checkout, and pays. @returns the address of the gift's page. */
async function give(page: Page): Promise<string> {
  await page.goto(checkout)
  await page.getByLabel('This is a gift').check()
  await page.getByLabel('The recipient’s email').fill(createEmail())
  await page.getByLabel('A few words for them').fill('Have fun with it')
  await goPay(page)
  await press(page, 'Pay')
  await expect(heading(page)).toHaveText('Your gift is on its way')
  await page.getByRole('main').getByRole('link', { name: 'Your purchases' }).click()
  // The newest is first.
  const waiting = page.getByRole('main').getByRole('listitem').first()
  await expect(waiting.getByText('It has not been redeemed yet.')).toBeVisible()

  return (
    (await waiting.getByRole('link', { name: 'See the gift’s page' }).getAttribute('href')) ?? ''
  )
}

test('a gift is bought, and its recipient signs up and redeems it; another gift can be passed on', async ({
  page,
  browser,
}) => {
  test.slow()
  await signUpNewLearner(page)
  const gift = await give(page)
  await expectAccessible(page)
  const second = await give(page)

  const context = await browser.newContext({ baseURL: url })
  const recipient = await context.newPage()
  await recipient.goto(gift)
  await expect(recipient.getByText('Have fun with it')).toBeVisible()
  await expectAccessible(recipient)
  await recipient.getByRole('main').getByRole('link', { name: 'Create an account' }).click()
  await fillSignUpForm(recipient, createEmail())
  await press(recipient, 'Create Account')
  await press(recipient, 'Redeem the gift')
  await expect(recipient.getByText('This course is yours now.')).toBeVisible()
  await expectAccessible(recipient)
  await recipient.goto(second)
  await expect(recipient.getByText(/Pass its link on/)).toBeVisible()
  await recipient.getByRole('link', { name: 'Go to the lessons' }).click()
  await expect(recipient).toHaveURL(new RegExp(`/Learn/${course}/`))
  await context.close()

  await page.reload()
  await expect(page.getByText(/^It was redeemed on/)).toBeVisible()
  await page.getByText('Send it again').click()
  await press(page, 'Send')
  await expect(page.getByText(/^The gift was sent to/)).toBeVisible()
})

test('a learner asks for a refund in two steps, and sees that it was received', async ({
  page,
}) => {
  test.slow()
  await signUpNewLearner(page)
  await checkOut(page)
  await press(page, 'Pay')
  await page.getByRole('link', { name: 'See the receipt' }).click()
  await page.getByRole('link', { name: 'Withdraw from this purchase' }).click()
  await expect(page.getByRole('button', { name: 'Confirm withdrawal' })).toBeVisible()
  await page.getByRole('link', { name: 'Cancel' }).click()
  await page.getByRole('link', { name: 'Ask for a refund' }).click()
  await expect(heading(page)).toHaveText('Ask for a refund')
  await expectAccessible(page)
  await page.getByLabel('What was wrong? (optional)').fill('It is too easy for me')
  await press(page, 'Send request')
  await expect(heading(page)).toHaveText('You have asked for a refund')
  await expect(heading(page)).toBeFocused()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Your purchases' }).click()
  await expect(page.getByText(/^You asked for your money back on /)).toBeVisible()
  await expect(page.getByRole('link', { name: 'Ask for a refund' })).toHaveCount(0)
  await expectAccessible(page)
  await page.goto('/Refund')
  await expect(heading(page)).toHaveText('Withdraw or ask for a refund')
  await expectAccessible(page)
})

test('a buyer withdraws without signing in and without scripts, by the link of an email', async ({
  page,
  browser,
}) => {
  test.slow()
  const { email } = await signUpNewLearner(page)
  await checkOut(page)
  await press(page, 'Pay')
  await expect(heading(page)).toHaveText('You’re enrolled')
  const order = new URL(page.url()).searchParams.get('order') ?? ''

  const phone = { viewport: { width: 390, height: 844 }, colorScheme: 'dark' as const }
  const context = await browser.newContext({ ...phone, javaScriptEnabled: false, baseURL: url })
  const reader = await context.newPage()
  await reader.goto('/Refund')
  await reader.getByLabel('Order number').fill(order)
  await reader.getByLabel('Email address of the order').fill(email)
  await press(reader, 'Continue')
  await expect(reader.getByText('If there is such an order')).toBeVisible()
  const message = reader
    .getByRole('listitem')
    .filter({ hasText: email })
    .filter({ hasText: 'Confirm your withdrawal' })
  await expect(async () => {
    await reader.goto('/mail')
    await expect(message).toBeVisible({ timeout: 1000 })
  }).toPass()
  const link = (await message.getByRole('link').getAttribute('href')) ?? ''
  for (const _ of ['a scanner', 'the buyer']) {
    await reader.goto(link)
  }

  await expect(heading(reader)).toHaveText('Withdraw from this purchase')
  await expectToFit(reader)
  await press(reader, 'Confirm withdrawal')
  await expect(heading(reader)).toHaveText('You have withdrawn')
  await expectToFit(reader)
  await context.close()

  await page.goto('/Profile/purchases')
  await expect(page.getByText(/^Refunded · /)).toBeVisible()
  await expect(page.getByRole('link', { name: /^Credit note \d+$/ })).toBeVisible()
  await page.goto(checkout)
  await expect(payButton(page)).toBeVisible()
})

test('staff create a coupon at the desk, and send the gift that was bought with it again', async ({
  page,
}) => {
  test.slow()
  const { email } = await signUpNewLearner(page)
  const database = await connectDatabase({ folder: product?.folder ?? '' })
  await database.query(
    `insert into staff (uid, role) select id, 'manager' from users where email = $1`,
    [email],
  )
  await database.end()
  await page.goto('/Desk/Coupons')
  await page.getByText('Make a coupon').click()
  await page.getByLabel('Code', { exact: true }).fill('desk-2026')
  await page.getByLabel('Percent').first().fill('50')
  await page.getByLabel(title).first().check()
  await expectAccessible(page)
  await press(page, 'Make the coupon')
  await expect(heading(page)).toHaveText('DESK2026')
  await expectAccessible(page)

  await page.goto((await page.getByText('?coupon=DESK2026').textContent()) ?? '')
  await expect(payButton(page)).toHaveText('Pay $44.50')
  await page.getByLabel('This is a gift').check()
  await page.getByLabel('The recipient’s email').fill('grace@test.example')
  await goPay(page)
  await press(page, 'Pay')
  await expect(heading(page)).toHaveText('Your gift is on its way')

  await page.goto('/Desk/Gifts')
  await expectAccessible(page)
  await page.getByRole('link', { name: 'grace@test.example' }).click()
  await expect(page.getByText('Ordered as a gift, with coupon DESK2026')).toBeVisible()
  await page.getByText('Send the gift again').click()
  await expectAccessible(page)
  await press(page, 'Send')
  await expect(page.getByRole('status')).toHaveText('The gift is sent again.')
})

test('an event that the provider did not sign is refused and changes nothing', async ({
  page,
  request,
}) => {
  await signUpNewLearner(page)
  await checkOut(page)
  await page.goto('/Profile/purchases')
  const order = /Order (\w{10})/.exec(
    (await page.getByRole('listitem').getByText('Order ').textContent()) ?? '',
  )?.[1]
  const event = { id: 'evt_1', object: 'event', type: 'checkout.session.completed' }
  const data = {
    object: { object: 'checkout.session', metadata: { order }, payment_status: 'paid' },
  }
  for (const headers of [undefined, { 'Stripe-Signature': 't=1,v1=00' }]) {
    const response = await request.post('/payments/events', { data: { ...event, data }, headers })
    expect(response.status()).toBe(400)
  }

  await page.reload()
  await expect(page.getByText(/^Not paid · /)).toBeVisible()
})

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false, viewport: { width: 390, height: 844 }, colorScheme: 'dark' })

  test('a learner buys a course', async ({ page }) => {
    await signUpNewLearner(page)
    await page.goto(`/OneCourse/${course}`)
    await page.getByRole('link', { name: 'Enroll Now' }).first().click()
    await fillCompany(page, 'Analytical Engines Ltd')
    await expectToFit(page)
    await goPay(page)
    await press(page, 'Decline the card')
    await press(page, 'Pay')
    await expect(heading(page)).toHaveText('You’re enrolled')
    await page.goto('/Profile/settings')
    await page.getByRole('link', { name: 'See your purchases' }).click()
    await page.getByRole('link', { name: /^Receipt \d+$/ }).click()
    await expect(page.getByText('Analytical Engines Ltd')).toBeVisible()
  })

  test('a coupon lowers the price, and the form keeps the entered values', async ({ page }) => {
    await signUpNewLearner(page)
    await page.goto(checkout)
    await fillCompany(page, 'Analytical Engines Ltd')
    await page.getByText('Add a coupon').click()
    await page.getByLabel('Coupon code').fill('quarter2026')
    await press(page, 'Apply')
    await expect(page.getByText('Coupon QUARTER2026 takes off $22.25.')).toBeVisible()
    await expect(page.getByLabel('Company')).toHaveValue('Analytical Engines Ltd')
    await goPay(page)
    await expect(page.getByText('$66.75')).toBeVisible()
    await press(page, 'Pay')
    await expect(heading(page)).toHaveText('You’re enrolled')
  })

  test('a learner buys a gift, and its recipient redeems it', async ({ page }) => {
    await signUpNewLearner(page)
    await page.goto(await give(page))
    await expectToFit(page)
    await press(page, 'Redeem the gift')
    await expect(page.getByText('This course is yours now.')).toBeVisible()
  })
})

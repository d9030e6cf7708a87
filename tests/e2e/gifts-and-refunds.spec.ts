import { expectAccessible, expectToFit } from '../support/accessibility'
import { createEmail, fillSignUpForm } from '../support/account-forms'
import { expect, test } from '../support/browser'
import { waitForHydration } from '../support/hydration'
import {
  buyCourse,
  checkoutPath,
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

test('staff make a coupon at the desk and send the gift that was bought with it again, and its recipient signs up and redeems it', async ({
  page,
  browser,
}) => {
  test.slow()
  const { email } = await signUpNewLearner(page)
  await makeManager(email)
  const recipientEmail = createEmail()

  await test.step('a manager makes a coupon', async () => {
    await page.goto('/Desk/Coupons')
    await page.getByText('Make a coupon').click()
    await page.getByLabel('Code', { exact: true }).fill('desk-2026')
    await page.getByLabel('Percent').first().fill('50')
    await page.getByLabel('Python from Zero').first().check()
    await expectAccessible(page)

    await pressButton(page, 'Make the coupon')
    await expect(pageHeading(page)).toHaveText('DESK2026')
    await expect(page.getByText(`${checkoutPath}?coupon=DESK2026`)).toBeVisible()
    await expectAccessible(page)
  })

  await test.step('a gift is bought with the coupon', async () => {
    await page.goto(`${checkoutPath}?coupon=DESK2026`)
    await expect(page.getByRole('button', { name: 'Pay $44.50' })).toBeVisible()

    await page.getByLabel('This is a gift').check()
    await page.getByLabel('The recipient’s email').fill(recipientEmail)
    await page.getByLabel('A few words for them').fill('Have fun with it')
    await countryField(page).selectOption(otherCountry)
    await goToPayment(page)
    await leavePayment(page, 'Pay')
    await expect(pageHeading(page)).toHaveText('Your gift is on its way')
  })

  await test.step('the desk sends the gift again', async () => {
    await page.goto('/Desk/Gifts')
    await expectAccessible(page)

    await page.getByRole('link', { name: recipientEmail }).click()
    await expect(page.getByText('Ordered as a gift, with coupon DESK2026')).toBeVisible()

    await page.getByText('Send the gift again').click()
    await expectAccessible(page)

    await pressButton(page, 'Send')
    await expect(page.getByRole('status')).toHaveText('The gift is sent again.')
  })

  await page.goto('/Profile/purchases')
  await expect(page.getByText('It has not been redeemed yet.')).toBeVisible()

  const giftLink = page.getByRole('link', { name: 'See the gift’s page' })
  const giftUrl = String(await giftLink.getAttribute('href'))

  await test.step('the recipient signs up and redeems the gift', async () => {
    const recipient = await (await browser.newContext({ baseURL: shop.url })).newPage()
    await recipient.goto(giftUrl)
    await waitForHydration(recipient)
    await expect(recipient.getByText('Have fun with it')).toBeVisible()
    await expectAccessible(recipient)

    await recipient.getByRole('main').getByRole('link', { name: 'Create an account' }).click()
    await fillSignUpForm(recipient, createEmail())
    await pressButton(recipient, 'Create Account')
    await pressButton(recipient, 'Redeem the gift')
    await expect(recipient.getByText('This course is yours now.')).toBeVisible()
    await expectAccessible(recipient)

    await recipient.getByRole('link', { name: 'Go to the lessons' }).click()
    await expect(recipient).toHaveURL(new RegExp(`/Learn/${courseId}/`))

    await recipient.context().close()
  })

  await page.reload()
  await expect(page.getByText(/^It was redeemed on/)).toBeVisible()
})

async function makeManager(email: string) {
  const database = await shop.connectDatabase()
  await database.query(
    `insert into staff (uid, role) select id, 'manager' from users where email = $1`,
    [email],
  )
  await database.end()
}

test('a learner asks for a refund in two steps, and sees that it was received', async ({
  page,
}) => {
  await signUpNewLearner(page)
  const order = await buyCourse(page, shop.url)
  await page.goto('/Profile/purchases')
  await page.getByRole('link', { name: 'Withdraw from this purchase' }).click()
  await expect(page.getByRole('button', { name: 'Confirm withdrawal' })).toBeVisible()

  await page.getByRole('link', { name: 'Cancel' }).click()
  await page.getByRole('link', { name: 'Ask for a refund' }).click()
  await expect(pageHeading(page)).toHaveText('Ask for a refund')
  await expectAccessible(page)

  await page.getByLabel('What was wrong? (optional)').fill('It is too easy for me')
  await pressButton(page, 'Send request')
  await expect(pageHeading(page)).toHaveText('You have asked for a refund')
  await expect(pageHeading(page)).toBeFocused()
  await expectAccessible(page)

  await page.getByRole('link', { name: 'Your purchases' }).click()
  await expect(page.getByText(order)).toBeVisible()
  await expect(page.getByText(/^You asked for your money back on /)).toBeVisible()
  await expect(page.getByRole('link', { name: 'Ask for a refund' })).toHaveCount(0)

  await page.goto('/Refund')
  await expect(pageHeading(page)).toHaveText('Withdraw or ask for a refund')
  await expectAccessible(page)
})

test('a buyer withdraws without signing in and without scripts, by the link of an email', async ({
  page,
  browser,
}) => {
  const { email } = await signUpNewLearner(page)
  const order = await buyCourse(page, shop.url)

  const phone = { viewport: { width: 390, height: 844 }, colorScheme: 'dark' as const }
  const context = await browser.newContext({
    ...phone,
    javaScriptEnabled: false,
    baseURL: shop.url,
  })
  const reader = await context.newPage()
  await reader.goto('/Refund')
  await reader.getByLabel('Order number').fill(order)
  await reader.getByLabel('Email address of the order').fill(email)
  await pressButton(reader, 'Continue')
  await expect(reader.getByText('If there is such an order')).toBeVisible()

  const message = reader
    .getByRole('listitem')
    .filter({ hasText: email })
    .filter({ hasText: 'Confirm your withdrawal' })
  await expect(async () => {
    await reader.goto('/mail')
    await expect(message).toBeVisible({ timeout: 1000 })
  }).toPass()

  const link = String(await message.getByRole('link').getAttribute('href'))
  for (const _ of ['a scanner', 'the buyer']) {
    await reader.goto(link)
  }

  await expect(pageHeading(reader)).toHaveText('Withdraw from this purchase')
  await expectToFit(reader)

  await pressButton(reader, 'Confirm withdrawal')
  await expect(pageHeading(reader)).toHaveText('You have withdrawn')
  await expectToFit(reader)

  await context.close()

  await page.goto('/Profile/purchases')
  await expect(page.getByText(/^Refunded · /)).toBeVisible()
  await expect(page.getByRole('link', { name: /^Credit note \d+$/ })).toBeVisible()

  await page.goto(checkoutPath)
  await expect(page.getByRole('button', { name: /^Pay \$/ })).toBeVisible()
})

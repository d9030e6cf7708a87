import { type Browser, type BrowserContext, devices, type Page } from '@playwright/test'
import { expectAccessible, expectToFit } from '../support/accessibility'
import { fillLoginForm, refusedRequestError, signInButton } from '../support/account-forms'
import { Authenticator } from '../support/authenticator'
import { expect, test } from '../support/browser'
import {
  confirmEmail,
  hasSession,
  postToAccountService,
  removeSession,
  signUpNewLearner,
} from '../support/sign-in'

type Learner = Awaited<ReturnType<typeof signUpNewLearner>>

const newPassword = 'Analytical-1843'
const security = (page: Page) => page.getByRole('region', { name: 'Security' })
const sessions = (page: Page) =>
  security(page).getByRole('list', { name: 'Where you’re signed in' }).getByRole('listitem')
const codeField = (page: Page) => page.getByRole('textbox', { name: 'Code' })
const recoveryCodes = (page: Page) =>
  page.getByRole('region', { name: 'Your recovery codes' }).getByRole('listitem')

/** Signs the learner in on a phone, whose browser opens no page. */
async function signInOnPhone(
  browser: Browser,
  baseURL: string | undefined,
  learner: Learner,
): Promise<BrowserContext> {
  const { userAgent } = devices['iPhone 15']
  const phone = await browser.newContext({ userAgent, baseURL })
  await logIn(phone, learner)

  return phone
}

function logIn(phone: BrowserContext, { email, password }: Learner): Promise<void> {
  return postToAccountService(phone, '/account/login', { email, password })
}

async function endSessionOnPhone(page: Page): Promise<void> {
  await expect(sessions(page)).toHaveText([/This device/, /^Safari on iPhone/])
  await security(page)
    .getByRole('button', { name: /^Sign out Safari on iPhone/ })
    .click()
  await expect(security(page).getByRole('status')).toHaveText('That device is signed out.')
  await expect(sessions(page)).toHaveText([/This device/])
}

async function changePassword(page: Page, currentPassword: string): Promise<void> {
  await security(page).getByLabel('Current password').fill(currentPassword)
  await security(page).getByLabel('New password').fill(newPassword)
  await security(page).getByLabel('Confirm password').fill(newPassword)
  await security(page).getByRole('button', { name: 'Change password' }).click()
}

/** Signs in with the password, and expects the page that asks for a code. */
async function signInWithPassword(page: Page, { email, password }: Learner): Promise<void> {
  await removeSession(page)
  await page.goto('/Login?from=%2FProfile%2Fsettings')
  await fillLoginForm(page, email, password)
  await signInButton(page).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Enter your code')
  await expect(codeField(page)).toBeFocused()
}

/** Presses a button by keyboard. */
async function press(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).press('Enter')
}

async function typeCode(page: Page, code: string): Promise<void> {
  await codeField(page).focus()
  await page.keyboard.type(code)
  await page.keyboard.press('Enter')
}

test('a learner ends a session, changes the password, which ends the others, and uses two-step sign-in by keyboard', async ({
  page,
  browser,
  baseURL,
  guard,
}) => {
  test.slow()
  guard.allowConsoleError(refusedRequestError)
  const learner = await signUpNewLearner(page, {
    firstName: 'Maximiliane-Theodora',
    lastName: 'L'.repeat(90),
  })
  await confirmEmail(learner.email)
  const phone = await signInOnPhone(browser, baseURL, learner)
  await page.setViewportSize({ width: 320, height: 900 })
  await page.goto('/Profile/settings')
  await expect(page.getByText('Signed in with your password')).toHaveCount(2)
  await expectToFit(page)

  await endSessionOnPhone(page)
  expect(await hasSession(phone)).toBe(false)

  await logIn(phone, learner)
  await changePassword(page, 'not-my-password')
  await expect(security(page).getByText('Incorrect password')).toBeVisible()

  await changePassword(page, learner.password)
  await expect(
    security(page).getByText('Your password has been changed, and all other devices'),
  ).toBeVisible()
  await expect(security(page).getByLabel('Current password')).toHaveValue('')
  await expect(security(page).getByText('A wrong password was entered')).toBeVisible()
  expect(await hasSession(phone)).toBe(false)

  await logIn(phone, { ...learner, password: newPassword })
  await phone.close()

  const { app, recoveryCode } = await setUpTwoStep(page)
  await signInWithPassword(page, { ...learner, password: newPassword })
  await typeCode(page, await app.createWrongCode(Date.now()))
  await expect(page.getByText('This code is wrong').first()).toBeVisible()
  await expectAccessible(page, 'main')

  await page.getByRole('link', { name: /recovery code/ }).press('Enter')
  await page.getByRole('textbox', { name: 'Recovery code' }).fill(recoveryCode)
  await press(page, 'Sign In')
  await expect(page).toHaveURL('/Profile/settings')

  await security(page).getByRole('link', { name: 'Manage' }).press('Enter')
  await expect(page.getByText('9 of 10 are left.')).toBeVisible()

  await press(page, 'Turn off two-step sign-in')
  await expect(page.getByRole('heading', { name: 'Two-step sign-in is off.' })).toBeVisible()
})

/** Sets two-step sign-in up by keyboard, on accessible screens. */
async function setUpTwoStep(page: Page) {
  await security(page).getByRole('link', { name: 'Set up' }).press('Enter')
  await press(page, 'Set up an app')
  await expect(page.getByRole('img', { name: /QR code/ })).toBeVisible()
  await expectAccessible(page, 'main')

  const setupUrl = await page.getByRole('link', { name: 'Open your app' }).getAttribute('href')
  const app = new Authenticator(setupUrl ?? '')
  await typeCode(page, await app.createCode(Date.now()))
  await expect(recoveryCodes(page)).toHaveCount(10)
  await expectAccessible(page, 'main')

  return { app, recoveryCode: (await recoveryCodes(page).first().textContent()) ?? '' }
}

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false })

  test('a learner ends another session, changes the password, and signs in with a code of an app', async ({
    page,
    browser,
    baseURL,
    guard,
  }) => {
    guard.allowConsoleError(refusedRequestError)
    const learner = await signUpNewLearner(page)
    await confirmEmail(learner.email)
    const phone = await signInOnPhone(browser, baseURL, learner)
    await page.goto('/Profile/settings')

    await endSessionOnPhone(page)
    await phone.close()
    await changePassword(page, 'not-my-password')
    await expect(security(page).getByText('Incorrect password')).toBeVisible()

    await changePassword(page, learner.password)
    await expect(
      security(page).getByText('Your password has been changed, and all other devices'),
    ).toBeVisible()

    await page.goto('/Profile/two-step')
    await page.getByRole('button', { name: 'Set up an app' }).click()
    await expect(page.getByRole('img', { name: /QR code/ })).toBeVisible()

    const setupUrl = await page.getByRole('link', { name: 'Open your app' }).getAttribute('href')
    const app = new Authenticator(setupUrl ?? '')
    const enableButton = page.getByRole('button', { name: 'Turn on two-step sign-in' })

    await codeField(page).fill(await app.createWrongCode(Date.now()))
    await enableButton.click()
    await expect(page.getByText('This code is wrong')).toBeVisible()

    await codeField(page).fill(await app.createCode(Date.now()))
    await enableButton.click()
    await expect(recoveryCodes(page)).toHaveCount(10)

    await signInWithPassword(page, { ...learner, password: newPassword })
    // A code works once, and the current code may be the one that was just used.
    await codeField(page).fill(await app.createCode(Date.now() + 30_000))
    await page.getByRole('button', { name: 'Sign In' }).click()
    await expect(page).toHaveURL('/Profile/settings')

    await page.goto('/Profile/two-step')
    await page.getByRole('button', { name: 'Turn off two-step sign-in' }).click()
    await expect(page.getByRole('heading', { name: 'Two-step sign-in is off.' })).toBeVisible()
  })
})

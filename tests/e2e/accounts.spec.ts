import { randomBytes } from 'node:crypto'
import type { Page } from '@playwright/test'
import { expect, test } from '../support/browser'
import { hydrated } from '../support/hydration'
import { signInAsDemo, signUpNewLearner } from '../support/sign-in'

/** The browser reports every refused request as an error of its own; these are the ones that a test provokes. */
const refusedRequest = /Failed to load resource: the server responded with a status of (400|401|403|404|409|429)/

const newEmail = () => `learner-${randomBytes(6).toString('hex')}@test.example`

/** Opens a page and waits until its script has taken over. */
async function open(page: Page, path: string) {
  await page.goto(path)
  await hydrated(page)
}

async function fillSignUp(page: Page, email: string, password = 'Correct-horse-7') {
  await page.getByLabel('First name').fill('Grace')
  await page.getByLabel('Last name').fill('Hopper')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Confirm password').fill(password)
  await page.getByLabel('I agree').check()
}

async function fillLogin(page: Page, email: string, password: string) {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
}

const banner = (page: Page) => page.getByRole('alert')
const signIn = (page: Page) => page.getByRole('button', { name: 'Sign In', exact: true })
const topBar = (page: Page) => page.getByRole('banner')

test.describe('sign-up', () => {
  test('a new learner registers and lands on the profile', async ({ page }) => {
    await open(page, '/SignUp')
    await fillSignUp(page, newEmail())
    await page.getByRole('button', { name: 'Create Account' }).click()
    await expect(page).toHaveURL(/\/Profile$/)
    await expect(topBar(page).getByText('Grace', { exact: true })).toBeVisible()
  })

  test('every field says what is wrong, and stops when it is edited', async ({ page }) => {
    await open(page, '/SignUp')
    await page.getByRole('button', { name: 'Create Account' }).click()
    for (const message of [
      'First name is required',
      'Last name is required',
      'Email is required',
      'Password is required',
      'Please confirm your password',
      'You must agree to the terms and conditions',
    ]) {
      await expect(page.getByText(message, { exact: true })).toBeVisible()
    }
    await expect(page.getByLabel('First name')).toBeFocused()
    await page.getByLabel('First name').fill('G')
    await expect(page.getByText('First name is required')).toBeHidden()
    await page.getByLabel('Password', { exact: true }).fill('12345')
    await page.getByLabel('Confirm password').fill('123456')
    await page.getByRole('button', { name: 'Create Account' }).click()
    await expect(page.getByText('Password must be at least 6 characters', { exact: true })).toBeVisible()
    await expect(page.getByText('Passwords do not match')).toBeVisible()
  })

  test('the strength of a password is shown while it is typed', async ({ page }) => {
    await open(page, '/SignUp')
    const meter = page.getByText('Password strength:')
    await expect(meter).toHaveText('Password strength: none')
    for (const [password, strength] of [
      ['abc', 'weak'],
      ['abcdef', 'medium'],
      ['Abcdefghi1', 'strong'],
    ] as const) {
      await page.getByLabel('Password', { exact: true }).fill(password)
      await expect(meter).toHaveText(`Password strength: ${strength}`)
    }
  })

  test('an address that has an account is refused in the banner and the form, for 5 seconds', async ({
    page,
    guard,
  }) => {
    guard.allowConsoleError(refusedRequest)
    await page.clock.install()
    await open(page, '/SignUp')
    await fillSignUp(page, 'demo@learnify.example')
    await page.getByRole('button', { name: 'Create Account' }).click()
    const message = 'An account with this email already exists'
    await expect(page.getByText(message)).toHaveCount(2)
    await expect(banner(page)).toHaveText(message)
    await page.clock.fastForward(3000)
    await expect(page.getByText(message)).toHaveCount(2)
    await page.clock.fastForward(2500)
    await expect(page.getByText(message)).toHaveCount(0)
  })

  test('while it is sent the inputs are disabled', async ({ page }) => {
    await open(page, '/SignUp')
    await page.route('**/account/register', async (route) => {
      await expect(page.getByRole('button', { name: 'Creating Account...' })).toBeDisabled()
      await expect(page.getByLabel('Email')).toBeDisabled()
      await route.continue()
    })
    await fillSignUp(page, newEmail())
    await page.getByRole('button', { name: 'Create Account' }).click()
    await expect(page).toHaveURL(/\/Profile$/)
  })
})

test.describe('login', () => {
  test('the demo box fills the form once, and the demo learner signs in', async ({ page }) => {
    await open(page, '/Login')
    await expect(page.getByText('demo@learnify.example')).toBeVisible()
    await page.getByRole('button', { name: 'Use demo credentials' }).click()
    await expect(page.getByRole('heading', { name: 'Demo credentials' })).toBeHidden()
    await expect(page.getByLabel('Email')).toHaveValue('demo@learnify.example')
    await page.route('**/account/login', async (route) => {
      await expect(page.getByRole('button', { name: 'Signing In...' })).toBeDisabled()
      await expect(page.getByLabel('Password')).toBeDisabled()
      await route.continue()
    })
    await signIn(page).click()
    await expect(page).toHaveURL(/\/Profile$/)
  })

  test('every refusal has its message', async ({ page, guard }) => {
    guard.allowConsoleError(refusedRequest)
    guard.allowConsoleError(/ERR_FAILED/)
    const { email } = await signUpNewLearner(page)
    await page.context().clearCookies()
    await open(page, '/Login')
    for (const [typed, password, message] of [
      [email, 'wrong-password', 'Incorrect password'],
      [newEmail(), 'Correct-horse-7', 'No user found with this email address'],
      ['a@b@c.de', 'Correct-horse-7', 'Invalid email address'],
    ] as const) {
      await fillLogin(page, typed, password)
      await signIn(page).click()
      await expect(banner(page)).toHaveText(message)
    }
    await page.route('**/account/login', (route) => route.abort())
    await signIn(page).click()
    await expect(banner(page)).toHaveText('Network error. Please check your connection')
    await page.unroute('**/account/login')
    await page.route('**/account/login', (route) => route.fulfill({ status: 502, body: '<h1>Bad gateway</h1>' }))
    guard.allowConsoleError(/status of 502/)
    await signIn(page).click()
    await expect(banner(page)).toHaveText('Login failed')
  })

  test('after five wrong passwords the right one is refused, too', async ({ page, guard }) => {
    guard.allowConsoleError(refusedRequest)
    const { email, password } = await signUpNewLearner(page)
    await page.context().clearCookies()
    await open(page, '/Login')
    for (const attempt of [1, 2, 3, 4, 5]) {
      await fillLogin(page, email, `wrong-password-${attempt}`)
      await signIn(page).click()
      await expect(banner(page)).toHaveText('Incorrect password')
      await page.getByRole('button', { name: 'Close this message' }).click()
    }
    await fillLogin(page, email, password)
    await signIn(page).click()
    await expect(banner(page)).toHaveText('Too many failed attempts. Please try again later')
  })

  for (const remember of [true, false]) {
    test(`the session ${remember ? 'outlives' : 'ends with'} the browser ${remember ? 'with' : 'without'} remember-me`, async ({
      page,
    }) => {
      const { email, password } = await signUpNewLearner(page)
      await page.context().clearCookies()
      await open(page, '/Login')
      await fillLogin(page, email, password)
      await page.getByLabel('Remember me').setChecked(remember)
      await signIn(page).click()
      await expect(page).toHaveURL(/\/Profile$/)
      const cookies = await page.context().cookies()
      const session = cookies.find(({ name }) => name.endsWith('session_token'))
      expect(session).toMatchObject({ httpOnly: true, sameSite: 'Lax' })
      const days = ((session?.expires ?? 0) - Date.now() / 1000) / 86_400
      if (remember) expect(days).toBeCloseTo(30, 0)
      else expect(session?.expires).toBe(-1)
    })
  }

  test('only a page of this product is returned to', async ({ page, guard }) => {
    test.slow()
    // The page left behind may still be asking for something when its cookies go.
    guard.allowConsoleError(/401/)
    const { email, password } = await signUpNewLearner(page)
    for (const [from, leads] of [
      ['/AllCourses?level=beginner', /\/AllCourses\?level=beginner$/],
      ['//evil.example/x', /\/Profile$/],
      ['https://evil.example/', /\/Profile$/],
    ] as const) {
      await page.context().clearCookies()
      await open(page, `/Login?${new URLSearchParams({ from })}`)
      await fillLogin(page, email, password)
      await signIn(page).click()
      await expect(page).toHaveURL(leads)
    }
  })

  test('whoever is signed in already reads so, with a way to the profile', async ({ page }) => {
    await signInAsDemo(page)
    await page.goto('/Login')
    await expect(page.getByText('You are signed in as Demo Learner')).toBeVisible()
    await page.getByRole('link', { name: 'Go to your profile' }).click()
    await expect(page).toHaveURL(/\/Profile$/)
  })

  test('other tabs follow', async ({ page, context }) => {
    test.slow()
    const other = await context.newPage()
    await other.goto('/')
    await expect(topBar(other).getByRole('link', { name: 'Sign Up' })).toBeVisible()
    await open(page, '/Login')
    await page.getByRole('button', { name: 'Use demo credentials' }).click()
    await signIn(page).click()
    await expect(topBar(other).getByText('Demo', { exact: true })).toBeVisible()
  })
})

test('logout asks first, and then the learner is on the home page', async ({ page }) => {
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

test('a service that cannot sign out says so', async ({ page, guard }) => {
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

test.describe('a forgotten password', () => {
  test('asks for the e-mail first', async ({ page }) => {
    await open(page, '/Login')
    await page.getByRole('button', { name: 'Forgot password?' }).click()
    await expect(page.getByText('Please enter your email address first')).toBeVisible()
  })

  test('is replaced by the link of a mail, which works once and ends the other sessions', async ({ page, browser }) => {
    test.slow()
    const { email } = await signUpNewLearner(page)
    const elsewhere = await browser.newContext()
    const visitor = await elsewhere.newPage()
    await open(visitor, '/Login')
    await visitor.getByLabel('Email').fill(email)
    await visitor.getByRole('button', { name: 'Forgot password?' }).click()
    await expect(visitor.getByText('Password reset email sent')).toBeVisible()

    const message = visitor.getByRole('listitem').filter({ hasText: email }).filter({ hasText: 'Reset your' })
    await expect(async () => {
      await visitor.goto('/mail')
      await expect(message).toBeVisible({ timeout: 1000 })
    }).toPass()
    const link = await message.getByRole('link').getAttribute('href')
    await visitor.goto(link ?? '')
    await visitor.getByLabel('New password').fill('Another-horse-8')
    await visitor.getByLabel('Confirm password').fill('Another-horse-8')
    await visitor.getByRole('button', { name: 'Set new password' }).click()
    await expect(visitor.getByText('Your password is changed.')).toBeVisible()

    await page.goto('/Profile')
    await expect(page).toHaveURL(/\/Login$/)
    await visitor.goto(link ?? '')
    await expect(visitor.getByText('This link has been used already or has expired.')).toBeVisible()
    await open(visitor, '/Login')
    await fillLogin(visitor, email, 'Another-horse-8')
    await signIn(visitor).click()
    await expect(visitor).toHaveURL(/\/Profile$/)
    await elsewhere.close()
  })

  test('an address without an account is told so', async ({ page, guard }) => {
    guard.allowConsoleError(refusedRequest)
    await open(page, '/Login')
    await page.getByLabel('Email').fill(newEmail())
    await page.getByRole('button', { name: 'Forgot password?' }).click()
    await expect(banner(page)).toHaveText('No user found with this email address')
  })
})

test.describe('the link of a welcome mail', () => {
  async function linkFor(page: Page, email: string): Promise<string> {
    const message = page.getByRole('listitem').filter({ hasText: email })
    await expect(async () => {
      await page.goto('/mail')
      await expect(message).toBeVisible({ timeout: 1000 })
    }).toPass()
    return (await message.getByRole('link').getAttribute('href')) ?? ''
  }

  for (const javaScriptEnabled of [true, false]) {
    test(`confirms by a button and not by being opened, ${javaScriptEnabled ? 'with' : 'without'} scripts`, async ({
      page,
      browser,
      baseURL,
    }) => {
      test.slow()
      const { email } = await signUpNewLearner(page)
      const context = await browser.newContext({ javaScriptEnabled, baseURL })
      const reader = await context.newPage()
      const link = await linkFor(reader, email)
      for (const _ of ['a scanner', 'the learner']) await reader.goto(link)
      await expect(reader.getByText(`An account was made for ${email}`)).toBeVisible()
      await reader.getByRole('button', { name: 'Yes, confirm my address' }).click()
      await expect(reader.getByText('your email address is confirmed')).toBeVisible()
      await reader.goto(link)
      await expect(reader.getByText('This link has been used already or has expired')).toBeVisible()
      await page.goto('/ConfirmEmail')
      await expect(page.getByText('Your email address is confirmed')).toBeVisible()
      await context.close()
    })
  }

  test('is sent again to a learner who asks for it', async ({ page }) => {
    await signUpNewLearner(page)
    await page.goto('/ConfirmEmail?token=never-was-one')
    await expect(page.getByText('This link has been used already or has expired')).toBeVisible()
    await page.getByRole('button', { name: 'Send a new link' }).click()
    await expect(page.getByText('The link is on its way to you')).toBeVisible()
  })

  test('closes the account to whoever made it, when that was somebody else', async ({ page, browser, baseURL }) => {
    const { email } = await signUpNewLearner(page)
    const context = await browser.newContext({ baseURL })
    const reader = await context.newPage()
    await reader.goto(await linkFor(reader, email))
    await reader.getByRole('button', { name: 'No, this was not me' }).click()
    await expect(reader.getByText('Nobody can sign in to that account any more')).toBeVisible()
    await page.goto('/Profile')
    await expect(page).toHaveURL(/\/Login$/)
    await context.close()
  })
})

for (const provider of ['Google', 'Facebook']) {
  test.describe(`${provider} by popup`, () => {
    const button = (page: Page) => page.getByRole('button', { name: `Continue with ${provider}` })
    async function openPopup(page: Page): Promise<Page> {
      const opening = page.waitForEvent('popup')
      await button(page).click()
      const popup = await opening
      await expect(popup.getByRole('heading', { name: 'Choose an account' })).toBeVisible()
      return popup
    }
    async function choose(popup: Page, name: string, email: string, verified = true) {
      await popup.getByLabel('Name').fill(name)
      await popup.getByLabel('Email').fill(email)
      await popup.getByLabel('has verified').setChecked(verified)
      await popup.getByRole('button', { name: 'Continue' }).click()
    }

    test('a first sign-in makes the profile, from the words of the display name', async ({ page }) => {
      await open(page, '/SignUp')
      const popup = await openPopup(page)
      await choose(popup, 'Gabriel José García Márquez', newEmail())
      await expect(page).toHaveURL(/\/Profile$/)
      expect(popup.isClosed()).toBe(true)
      const { user } = await page.evaluate(() => fetch('/account/session').then((response) => response.json()))
      expect(user).toMatchObject({
        firstName: 'Gabriel',
        lastName: 'José García Márquez',
        provider: provider.toLowerCase(),
        photoURL: null,
      })
    })

    test('closing the popup is told in the banner only', async ({ page }) => {
      await open(page, '/Login')
      const popup = await openPopup(page)
      await popup.close()
      await expect(banner(page)).toHaveText('Sign-in popup was closed')
      await expect(page.getByText('Sign-in popup was closed')).toHaveCount(1)
    })

    test('a second popup ends the first', async ({ page }) => {
      await open(page, '/Login')
      const first = await openPopup(page)
      const second = await openPopup(page)
      await expect(banner(page)).toHaveText('Sign-in was cancelled')
      expect(first.isClosed()).toBe(true)
      await choose(second, 'Second Try', newEmail())
      await expect(page).toHaveURL(/\/Profile$/)
    })

    test('cancelling at the provider is told', async ({ page }) => {
      await open(page, '/Login')
      const popup = await openPopup(page)
      await popup.getByRole('button', { name: 'Cancel' }).click()
      await expect(banner(page)).toHaveText('Sign-in was cancelled')
    })

    test('an unverified address never reaches an account that exists', async ({ page }) => {
      const { email } = await signUpNewLearner(page)
      await page.context().clearCookies()
      await open(page, '/Login')
      await choose(await openPopup(page), 'Not Ada', email, false)
      await expect(banner(page)).toHaveText('An account with this email already exists')
    })

    test('a provider that shares no address is told so', async ({ page }) => {
      await open(page, '/Login')
      await choose(await openPopup(page), 'No Address', '')
      await expect(banner(page)).toContainText('shares no email address')
    })
  })
}

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('one signs up, in and with Google all the same', async ({ page, guard }) => {
    test.slow()
    guard.allowConsoleError(refusedRequest)
    const email = newEmail()
    await page.goto('/SignUp')
    await fillSignUp(page, email)
    await page.getByLabel('Confirm password').fill('different')
    await page.getByRole('button', { name: 'Create Account' }).click()
    await expect(page.getByText('Passwords do not match')).toBeVisible()
    await expect(page.getByLabel('Email')).toHaveValue(email)
    await expect(page.getByLabel('Password', { exact: true })).toHaveValue('')
    await fillSignUp(page, email)
    await page.getByRole('button', { name: 'Create Account' }).click()
    await expect(page).toHaveURL(/\/Profile$/)

    await page.context().clearCookies()
    await page.goto('/Login')
    await fillLogin(page, email, 'wrong-password')
    await signIn(page).click()
    await expect(page.getByRole('alert')).toHaveText('Incorrect password')
    await fillLogin(page, email, 'Correct-horse-7')
    await page.getByLabel('Password').press('Enter')
    await expect(page).toHaveURL(/\/Profile$/)

    await page.context().clearCookies()
    await page.goto('/Login')
    await page.getByRole('button', { name: 'Continue with Google' }).click()
    await page.getByRole('button', { name: 'Maya Okonkwo' }).click()
    await expect(page).toHaveURL(/\/Profile$/)
  })

  test('a forgotten password is asked for by the same form', async ({ page, guard }) => {
    guard.allowConsoleError(refusedRequest)
    await page.goto('/Login')
    await page.getByRole('button', { name: 'Forgot password?' }).click()
    await expect(page.getByText('Please enter your email address first')).toBeVisible()
    await page.getByLabel('Email').fill('demo@learnify.example')
    await page.getByRole('button', { name: 'Forgot password?' }).click()
    await expect(page.getByText('Password reset email sent')).toBeVisible()
  })
})

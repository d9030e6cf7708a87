import type { Page } from '@playwright/test'
import { banner, fillLogin, newEmail, open, refusedRequest, signIn, topBar } from '../support/account-forms'
import { expect, test } from '../support/browser'
import { signInAsDemo, signUpNewLearner } from '../support/sign-in'

test('the demo box fills the form once, and the demo learner signs in', async ({ page }) => {
  await open(page, '/Login')
  await expect(page.getByText('demo@learnify.example')).toBeVisible()
  await page.getByRole('button', { name: 'Use demo credentials' }).click()
  await expect(page.getByRole('heading', { name: 'Demo credentials' })).toBeHidden()
  await expect(page.getByLabel('Email')).toHaveValue('demo@learnify.example')
  await page.route(/\/Login\.data/, async (route) => {
    await expect(page.getByRole('button', { name: 'Signing In...' })).toBeDisabled()
    await expect(page.getByLabel('Password')).toBeDisabled()
    await route.continue()
  })
  await signIn(page).click()
  await expect(page).toHaveURL(/\/Profile$/)
})

test('the schema comes when somebody touches the form; where it cannot come, the server checks by it', async ({
  page,
  guard,
}) => {
  guard.allowConsoleError(/ERR_FAILED/)
  guard.allowConsoleError(refusedRequest)
  const asked: string[] = []
  await page.route(/form-schemas/, (route) => {
    asked.push(route.request().url())
    return route.abort()
  })
  await open(page, '/Login')
  expect(asked).toEqual([])
  await signIn(page).click()
  await expect(page.getByText('Email is required')).toBeVisible()
  await expect(page.getByText('Password is required')).toBeVisible()
  await expect(page.getByLabel('Email')).toBeFocused()
  expect(asked).toHaveLength(1)
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
  await page.route(/\/Login\.data/, (route) => route.abort())
  await signIn(page).click()
  await expect(banner(page)).toHaveText('Network error. Please check your connection')
})

const busyAnswer = { status: 503, body: 'Learnify is very busy right now. Please try again in a few seconds.' }

/** By which a page knows an answer of Learnify from one of a proxy. */
async function headersOf(page: Page) {
  const name = 'learnify-build'
  return { [name]: (await page.request.get('/healthz')).headers()[name] ?? '', 'Content-Type': 'text/plain' }
}

const longestPauseMs = 5_000

/** The login, where time passes only when the journey says so. */
async function openWithStillClock(page: Page) {
  const start = Date.UTC(2026, 0, 1)
  await page.clock.install({ time: start })
  await open(page, '/Login')
  await page.clock.pauseAt(start + 3_600_000)
}

test('while many people sign in, the form waits and goes on by itself, and says so', async ({ page, guard }) => {
  guard.allowConsoleError(/status of 503/)
  const { email, password } = await signUpNewLearner(page)
  await page.context().clearCookies()
  await openWithStillClock(page)
  let tries = 0
  let answerSecond = () => {}
  const secondAnswered = new Promise<void>((resolve) => {
    answerSecond = resolve
  })
  const headers = await headersOf(page)
  await page.route(/\/Login\.data/, async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    tries += 1
    if (tries > 2) return route.continue()
    if (tries === 2) await secondAnswered
    return route.fulfill({ ...busyAnswer, headers })
  })
  await fillLogin(page, email, password)
  await signIn(page).click()
  const waiting = page.getByRole('status').filter({ hasText: /try again in \d seconds/ })
  await expect(waiting).toBeVisible()
  await expect(page.getByLabel('Password')).toHaveValue(password)
  // The form sends itself while somebody is in a field, who stays there.
  await page.getByLabel('Password').focus()
  expect(tries).toBe(1)
  await page.clock.runFor(longestPauseMs)
  await expect.poll(() => tries).toBe(2)
  await expect(page.getByRole('button', { name: 'Signing In...' })).toBeVisible()
  await expect(page.getByLabel('Password')).toBeFocused()
  await expect(page.getByLabel('Password')).toBeEditable()
  answerSecond()
  await expect(signIn(page)).toBeVisible()
  await page.clock.runFor(longestPauseMs)
  await expect(page).toHaveURL(/\/Profile$/)
  expect(tries).toBe(3)
})

test('who types while the form waits sends it by hand', async ({ page, guard }) => {
  guard.allowConsoleError(/status of 503/)
  await openWithStillClock(page)
  let tries = 0
  const headers = await headersOf(page)
  await page.route(/\/Login\.data/, (route) => {
    tries += 1
    return route.fulfill({ ...busyAnswer, headers })
  })
  await fillLogin(page, newEmail(), 'Correct-horse-7')
  await signIn(page).click()
  const waiting = page.getByRole('status').filter({ hasText: /try again in \d seconds/ })
  await expect(waiting).toBeVisible()
  await page.getByLabel('Email').fill(newEmail())
  await expect(waiting).toBeHidden()
  await page.clock.runFor(2 * longestPauseMs)
  expect(tries).toBe(1)
  await signIn(page).click()
  await expect(waiting).toBeVisible()
  expect(tries).toBe(2)
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
  await expect(page.getByText('You’re signed in as Demo Learner')).toBeVisible()
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

import { refusedRequestError } from '../support/account-forms'
import { expect, test } from '../support/browser'
import { postToAccountService, signUpNewLearner } from '../support/sign-in'

const settings = '/Profile/settings'
const next = 'Analytical-1843'
const iPhone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1'

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled })

    test('a learner sees their sessions, ends one and changes the password', async ({
      page,
      browser,
      baseURL,
      guard,
    }) => {
      test.slow()
      guard.allowConsoleError(refusedRequestError)
      const { email, password } = await signUpNewLearner(page)
      const phone = await (await browser.newContext({ userAgent: iPhone, baseURL })).newPage()
      await postToAccountService(phone, '/account/login', { email, password })

      await page.goto(settings)
      const security = page.getByRole('region', { name: 'Security' })
      const devices = security
        .getByRole('list', { name: 'Where you’re signed in' })
        .getByRole('listitem')
      await expect(devices).toHaveText([/This device/, /^Safari on iPhone/])
      await security.getByRole('button', { name: /^Sign out Safari on iPhone/ }).click()
      await expect(security.getByRole('status')).toHaveText('That device is signed out.')
      await expect(devices).toHaveText([/This device/])
      await phone.goto('/Profile')
      await expect(phone).toHaveURL(/\/Login/)

      await postToAccountService(phone, '/account/login', { email, password })
      const fill = async (current: string) => {
        await security.getByLabel('Current password').fill(current)
        await security.getByLabel('New password').fill(next)
        await security.getByLabel('Confirm password').fill(next)
        await security.getByRole('button', { name: 'Change password' }).click()
      }

      await fill('not-my-password')
      await expect(security.getByText('Incorrect password')).toBeVisible()
      await fill(password)
      await expect(
        security.getByText('Your password has been changed, and all other devices'),
      ).toBeVisible()
      await expect(security.getByLabel('Current password')).toHaveValue('')
      await expect(security.getByText('A wrong password was entered')).toBeVisible()
      await phone.goto('/Profile')
      await expect(phone).toHaveURL(/\/Login/)
      await postToAccountService(phone, '/account/login', { email, password: next })
      await phone.context().close()
    })
  })
}

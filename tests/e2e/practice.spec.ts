import { expect, test } from '../support/browser'
import { hydrated } from '../support/hydration'
import { signInAsDemo } from '../support/sign-in'

test('a learner practices by keyboard: answers, reads why, and goes on', async ({ page }) => {
  await signInAsDemo(page)
  await page.goto('/Profile')
  await page.getByRole('link', { name: /Practice now|Go on practicing/ }).press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Practice')
  await hydrated(page)
  const number = page.getByText(/^Question \d+ of \d+$/)
  const [, first = ''] = /Question (\d+) of/.exec((await number.textContent()) ?? '') ?? []
  await page.getByRole('button', { name: 'I don’t know' }).press('Enter')
  const verdict = page.getByRole('heading', { name: 'Not quite' })
  await expect(verdict).toBeFocused()
  await expect(page.getByText('It comes back tomorrow.')).toBeVisible()
  await page.getByRole('link', { name: /Next question|Finish/ }).press('Enter')
  await expect(verdict).toBeHidden()
  await expect(number).not.toHaveText(new RegExp(`^Question ${first} of`))
})

test('practice works without scripts, and asks for an answer first', async ({ browser, baseURL }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL })
  const page = await context.newPage()
  await signInAsDemo(page)
  await page.goto('/Practice')
  const question = await page.locator('legend').textContent()
  const choice = page.getByRole('radio').or(page.getByRole('checkbox')).first()
  if (await choice.isVisible()) {
    await page.getByRole('button', { name: 'Check answer' }).last().click()
    await expect(page.getByText('Choose an answer first.')).toBeVisible()
    await choice.check()
    await page.getByRole('button', { name: 'Check answer' }).last().click()
  } else await page.getByRole('button', { name: 'I don’t know' }).click()
  await expect(page.locator('#verdict')).toBeVisible()
  await expect(page.getByText(question ?? '')).toBeVisible()
  await page.getByRole('link', { name: /Next question|Finish/ }).click()
  await expect(page.locator('#verdict')).toBeHidden()
  await context.close()
})

import sharp from 'sharp'
import { expect, test } from '../support/browser'
import { waitForHydration } from '../support/hydration'
import { signUpNewLearner } from '../support/sign-in'

const createPhoto = () =>
  sharp({ create: { width: 300, height: 500, channels: 3, background: '#0b7350' } })
    .png()
    .toBuffer()

test('settings show the error of a field until it is edited, are saved and displayed everywhere', async ({
  page,
}) => {
  const { email } = await signUpNewLearner(page)
  await page.goto('/Profile/settings')
  const saveButton = page.getByRole('button', { name: 'Save Changes' })
  await expect(page.getByLabel('Email')).toHaveValue(email)
  await expect(page.getByLabel('Email')).not.toBeEditable()
  await expect(page.getByText('Email cannot be changed for security reasons')).toBeVisible()
  await expect(page.getByLabel('Timezone').getByRole('option')).toHaveText([
    /^Same as my browser/,
    'Pacific Standard Time',
    'Mountain Standard Time',
    'Central Standard Time',
    'Eastern Standard Time',
  ])

  await page.getByLabel('First name').fill(' ')
  await page.getByLabel('Last name').fill('')
  await saveButton.click()
  await expect(page.getByText('First name is required')).toBeVisible()
  await expect(page.getByText('Last name is required')).toBeVisible()
  await expect(page.getByLabel('First name')).toBeFocused()

  await page.getByLabel('First name').fill('Grace')
  await expect(page.getByText('First name is required')).toBeHidden()
  await expect(page.getByText('Last name is required')).toBeVisible()

  await page.getByLabel('Last name').fill('Hopper')
  await page.getByLabel('Phone').fill('+1 555 0100')
  await page.getByLabel('Location').fill('Arlington')
  await page.getByLabel('Timezone').selectOption('Eastern Standard Time')
  await saveButton.click()
  await expect(page.getByRole('status')).toHaveText('Settings saved successfully!')
  await expect(page.getByRole('banner').getByText('Grace', { exact: true })).toBeVisible()

  await page.goto('/Profile/personal-info')
  for (const value of ['Grace Hopper', '+1 555 0100', 'Arlington', 'Eastern Standard Time']) {
    await expect(page.getByRole('main').getByText(value, { exact: true }).last()).toBeVisible()
  }
})

test('settings that were changed offline are kept in the browser, and leaving the page asks for confirmation', async ({
  page,
  context,
  guard,
}) => {
  guard.allowOfflineErrors()
  await signUpNewLearner(page)
  await page.goto('/Profile/settings')
  await page.waitForLoadState('networkidle')

  await context.setOffline(true)
  await page.getByLabel('Location').fill('Oslo')
  await page.getByRole('button', { name: 'Save Changes' }).click()
  await expect(page.getByText('What you typed is kept on this device.')).toBeVisible()

  await context.setOffline(false)
  await page.reload()
  await expect(page.getByText('We kept what you typed last time.')).toBeVisible()
  await expect(page.getByLabel('Location')).toHaveValue('Oslo')

  const otherSection = page.getByRole('link', { name: 'Achievements' })
  await otherSection.click()
  await page.getByRole('dialog').getByRole('button', { name: 'Keep editing' }).click()
  await expect(page).toHaveURL('/Profile/settings')

  await page.getByRole('button', { name: 'Save Changes' }).click()
  await expect(page.getByRole('status')).toHaveText('Settings saved successfully!')

  await otherSection.click()
  await expect(page).toHaveURL('/Profile/achievements')
})

test('a reload asks for confirmation only if it loses a change, and each section saves its own', async ({
  page,
}) => {
  await signUpNewLearner(page)
  await page.goto('/Profile/settings')
  const questions: string[] = []
  page.on('dialog', (dialog) => {
    questions.push(dialog.type())
    void dialog.accept()
  })

  // The browser asks only if the learner has used the page, as by this click.
  await page.getByLabel('Location').click()
  await page.getByLabel('Location').fill('Oslo')
  await page.reload()
  await waitForHydration(page)
  expect(questions).toEqual([])

  await page.getByRole('checkbox', { name: 'Monday' }).click()
  await page.reload()
  expect(questions).toEqual(['beforeunload'])

  const sections = page.getByRole('navigation', { name: 'Settings' })
  await sections.getByRole('link', { name: 'Study' }).click()
  await expect(page).toHaveURL('/Profile/settings#study')

  await page.getByRole('checkbox', { name: 'Monday' }).check()
  await page.getByRole('button', { name: 'Save goal' }).click()
  await expect(page.getByText('Weekly goal saved.')).toBeVisible()

  await page.getByLabel('Study reminder').selectOption('Around noon (from 12 PM)')
  await page.getByRole('button', { name: 'Save reminder' }).click()
  await expect(page.getByText('Study reminders are on.')).toBeVisible()

  await page.getByRole('radio', { name: 'Dark' }).check()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')

  await page.reload()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await expect(page.getByRole('radio', { name: 'Dark' })).toBeChecked()
  await expect(page.getByLabel('Study reminder')).toHaveValue('12')

  await page.getByRole('radio', { name: 'Same as my device' }).check()
  await expect(page.locator('html')).not.toHaveAttribute('data-theme')
})

test('a photo is stored, displayed and removed, and a file that is not a photo is refused', async ({
  page,
  guard,
}) => {
  guard.allowConsoleError(/415/)
  await signUpNewLearner(page)
  await page.goto('/Profile/settings')
  const input = page.getByLabel('Profile photo')
  const saveButton = page.getByRole('button', { name: 'Save Changes' })
  const image = page.getByRole('main').locator('form img')

  await input.setInputFiles({
    name: 'me.jpg',
    mimeType: 'image/jpeg',
    buffer: Buffer.from('<html>'),
  })
  await saveButton.click()
  await expect(page.getByText('Please choose a JPEG, PNG or WebP photo')).toBeVisible()

  await input.setInputFiles({
    name: 'me.png',
    mimeType: 'image/png',
    buffer: Buffer.alloc(5 * 1024 * 1024 + 1),
  })
  await saveButton.click()
  await expect(
    page.getByText('Photos can be up to 5 MB. Please choose a smaller one'),
  ).toBeVisible()

  await input.setInputFiles({
    name: 'me.png',
    mimeType: 'image/png',
    buffer: await createPhoto(),
  })
  await expect(image).toHaveAttribute('src', /^blob:/)

  await saveButton.click()
  await expect(page.getByRole('status')).toHaveText('Settings saved successfully!')
  await expect(image).toHaveAttribute('src', /^\/files\/photos\/[\w-]+\.webp$/)

  const photoPath = (await image.getAttribute('src')) ?? ''
  const photo = await page.request.get(photoPath)
  expect(photo.headers()['content-type']).toBe('image/webp')
  expect((await sharp(await photo.body()).metadata()).width).toBe(256)
  await expect(page.getByRole('banner').locator('img').first()).toHaveAttribute('src', photoPath)

  await page.getByLabel('Remove photo').check()
  await saveButton.click()
  await expect(image).toHaveCount(0)
  await expect.poll(async () => (await page.request.get(photoPath)).status()).toBe(404)
})

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false })

  test('settings are saved, including a photo', async ({ page, guard }) => {
    guard.allowConsoleError(/422/)
    await signUpNewLearner(page)
    await page.goto('/Profile/settings')
    await page.getByLabel('First name').fill('')
    await page.getByLabel('Location').fill('Oslo')
    await page.getByRole('button', { name: 'Save Changes' }).click()
    await expect(page.getByLabel('First name')).toHaveAccessibleDescription(
      'First name is required',
    )
    await expect(page.getByLabel('Location')).toHaveValue('Oslo')

    await page.getByLabel('First name').fill('Grace')
    await page
      .getByLabel('Profile photo')
      .setInputFiles({ name: 'x.png', mimeType: 'image/png', buffer: await createPhoto() })
    await page.getByRole('button', { name: 'Save Changes' }).click()
    await expect(page.getByRole('status')).toHaveText('Settings saved successfully!')
    await expect(page.locator('form img')).toHaveAttribute('src', /^\/files\//)
  })
})

import type { Page } from '@playwright/test'
import { expect, test } from '../support/browser'

test.use({ contextOptions: { reducedMotion: 'no-preference' } })

const track = (page: Page) => page.locator('[data-slider-track]')
const slider = (page: Page) => page.getByRole('region', { name: 'What learners say' })
/** Where the track stands: which testimonial leads, at 320 px a card. */
const expectLeading = (page: Page, card: number) =>
  expect(track(page)).toHaveAttribute(
    'style',
    `transform: translateX(${card === 0 ? 0 : -320 * card}px);`,
  )

/**
 * The home page with a clock that stands still, and a slider whose interval has just begun with the
 * first card.
 */
async function openSlider(page: Page) {
  await page.clock.install({ time: new Date('2026-01-01T00:00:00Z') })
  await page.goto('/')
  await expect(track(page)).toHaveAttribute('style', /translateX/)
  // The cards move; the region around them doesn't.
  await slider(page).hover()
  await page.clock.pauseAt(new Date('2026-01-01T01:00:00Z'))
  for (let turns = 0; turns < 8 && !(await leads(page, 1)); turns++) {
    await slider(page).getByRole('button', { name: 'Next testimonial' }).click()
  }

  await page.mouse.move(0, 0)
  await expectLeading(page, 0)
}

async function leads(page: Page, number: number): Promise<boolean> {
  return ((await slider(page).locator('[aria-live]').textContent()) ?? '').includes(
    `${number} of 8`,
  )
}

test.describe('the testimonials', () => {
  test('are eight, each with a rating, a text, a name and a role', async ({ page }) => {
    await page.goto('/')
    const cards = slider(page).getByRole('group')
    await expect(cards).toHaveCount(8)
    for (const card of await cards.all()) {
      await expect(card.getByRole('img', { name: /^Rated \d out of 5$/ })).toHaveCount(1)
      await expect(card.locator('blockquote')).not.toBeEmpty()
      await expect(card.locator('figcaption')).not.toBeEmpty()
    }
  })

  test('advance one card of 320 px every 3000 ms and wrap around', async ({ page }) => {
    await openSlider(page)
    await page.clock.runFor(2999)
    await expectLeading(page, 0)
    await page.clock.runFor(1)
    await expectLeading(page, 1)
    for (const card of [2, 3, 4, 5, 6, 7, 0, 1]) {
      await page.clock.runFor(3000)
      await expectLeading(page, card)
    }
  })

  test('stand still under the pointer and go on when it has left', async ({ page }) => {
    await openSlider(page)
    await slider(page).hover()
    await page.clock.runFor(12_000)
    await expectLeading(page, 0)
    await page.mouse.move(0, 0)
    await page.clock.runFor(3000)
    await expectLeading(page, 1)
  })

  test('stand still while the keyboard is inside, and tell a screen reader what comes', async ({
    page,
  }) => {
    await openSlider(page)
    const live = slider(page).locator('[aria-live]')
    await expect(live).toHaveAttribute('aria-live', 'off')
    await page
      .getByRole('region', { name: 'What most people are learning' })
      .getByRole('link')
      .last()
      .focus()

    await page.keyboard.press('Tab')
    await expect(slider(page).getByRole('button', { name: 'Pause the testimonials' })).toBeFocused()
    await page.clock.runFor(12_000)
    await expectLeading(page, 0)
    await expect(live).toHaveAttribute('aria-live', 'polite')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expectLeading(page, 1)
    await expect(live).toContainText('Testimonial 2 of 8')
    await page.keyboard.press('Tab')
    await page.clock.runFor(3000)
    await expectLeading(page, 2)
  })

  test('rest in a hidden tab', async ({ page }) => {
    await openSlider(page)
    const setHidden = (hidden: boolean) =>
      page.evaluate((value) => {
        Object.defineProperty(document, 'hidden', { configurable: true, value })
        document.dispatchEvent(new Event('visibilitychange'))
      }, hidden)

    await setHidden(true)
    await page.clock.runFor(12_000)
    await expectLeading(page, 0)
    await setHidden(false)
    await page.clock.runFor(3000)
    await expectLeading(page, 1)
  })

  test('are paused and played by a button', async ({ page }) => {
    await openSlider(page)
    await slider(page).getByRole('button', { name: 'Pause the testimonials' }).click()
    await page.mouse.move(0, 0)
    await page.clock.runFor(12_000)
    await expectLeading(page, 0)
    await slider(page).getByRole('button', { name: 'Play the testimonials' }).click()
    await page.clock.runFor(3000)
    await expectLeading(page, 1)
  })

  test('go back and forth by buttons, past both ends', async ({ page }) => {
    await openSlider(page)
    await slider(page).getByRole('button', { name: 'Previous testimonial' }).click()
    await expectLeading(page, 7)
    await slider(page).getByRole('button', { name: 'Next testimonial' }).click()
    await expectLeading(page, 0)
    await slider(page).getByRole('button', { name: 'Next testimonial' }).click()
    await expectLeading(page, 1)
  })

  test('do not move by themselves where motion is unwanted', async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.clock.install()
    await page.goto('/')
    await expect(slider(page).getByRole('button', { name: 'Play the testimonials' })).toBeVisible()
    await page.clock.runFor(12_000)
    await expectLeading(page, 0)
    await slider(page).getByRole('button', { name: 'Next testimonial' }).click()
    await expectLeading(page, 1)
  })
})

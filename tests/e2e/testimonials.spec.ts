import type { Page } from '@playwright/test'
import { expect, test } from '../support/browser'

test.use({ contextOptions: { reducedMotion: 'no-preference' } })

const track = (page: Page) => page.locator('[data-slider-track]')
const slider = (page: Page) => page.getByRole('region', { name: 'What learners say' })
/** A screen reader reads this text out while the cards rest. */
const announcement = (page: Page) => slider(page).locator('[aria-live]')
const button = (page: Page, name: string) => slider(page).getByRole('button', { name })

/** Expects that a card leads. Each card is 320 px wide. */
const expectLeading = (page: Page, card: number) =>
  expect(track(page)).toHaveAttribute(
    'style',
    `transform: translateX(${card === 0 ? 0 : -320 * card}px);`,
  )

// The page's clock stands still, so React starts or ends the interval together with this attribute.
const expectRotating = (page: Page) =>
  expect(announcement(page)).toHaveAttribute('aria-live', 'off')
const expectResting = (page: Page) =>
  expect(announcement(page)).toHaveAttribute('aria-live', 'polite')

async function movePointerAway(page: Page): Promise<void> {
  await page.mouse.move(0, 0)
  await expectRotating(page)
}

/**
 * Opens the home page with a clock that stands still and a slider that has just begun with its
 * first card.
 */
async function openSlider(page: Page): Promise<void> {
  await page.clock.install({ time: new Date('2026-01-01T00:00:00Z') })
  await page.goto('/')
  await expect(track(page)).toHaveAttribute('style', /translateX/)

  // The cards move, but the region around them doesn't.
  await slider(page).hover()
  await expectResting(page)
  await page.clock.pauseAt(new Date('2026-01-01T01:00:00Z'))
  const [leadingNumber = ''] =
    /\d(?= of 8)/.exec((await announcement(page).textContent()) ?? '') ?? []
  for (let number = Number(leadingNumber); number !== 1; number = (number % 8) + 1) {
    await button(page, 'Next testimonial').click()
  }

  await expectLeading(page, 0)
  await movePointerAway(page)
}

test('the testimonials advance one card of 320 px every 3000 ms and wrap around', async ({
  page,
}) => {
  await openSlider(page)

  await page.clock.runFor(2999)
  await expectLeading(page, 0)

  await page.clock.runFor(1)
  await expectLeading(page, 1)

  for (const card of [2, 3, 4, 5, 6, 7, 0, 1]) {
    await page.clock.runFor(3000)
    await expectLeading(page, card)
  }

  await button(page, 'Previous testimonial').click()
  await button(page, 'Previous testimonial').click()
  await expectLeading(page, 7)

  await button(page, 'Next testimonial').click()
  await expectLeading(page, 0)
})

test('the testimonials rest under the pointer, in a hidden tab and while they are paused', async ({
  page,
}) => {
  await openSlider(page)

  await slider(page).hover()
  await expectResting(page)

  await page.clock.runFor(12_000)
  await expectLeading(page, 0)

  await movePointerAway(page)
  await page.clock.runFor(3000)
  await expectLeading(page, 1)

  await setTabHidden(page, true)
  await expectResting(page)

  await page.clock.runFor(12_000)
  await expectLeading(page, 1)

  await setTabHidden(page, false)
  await expectRotating(page)

  await page.clock.runFor(3000)
  await expectLeading(page, 2)

  await button(page, 'Pause the testimonials').click()
  await page.mouse.move(0, 0)
  await expectResting(page)

  await page.clock.runFor(12_000)
  await expectLeading(page, 2)

  await button(page, 'Play the testimonials').click()
  await expectRotating(page)

  await page.clock.runFor(3000)
  await expectLeading(page, 3)
})

function setTabHidden(page: Page, isHidden: boolean): Promise<void> {
  return page.evaluate((value) => {
    Object.defineProperty(document, 'hidden', { configurable: true, value })
    document.dispatchEvent(new Event('visibilitychange'))
  }, isHidden)
}

test('the testimonials rest while the keyboard is inside, and a screen reader reads out which one leads', async ({
  page,
}) => {
  await openSlider(page)
  await page
    .getByRole('region', { name: 'What most people are learning' })
    .getByRole('link')
    .last()
    .focus()

  await page.keyboard.press('Tab')
  await expect(button(page, 'Pause the testimonials')).toBeFocused()
  await expectResting(page)

  await page.clock.runFor(12_000)
  await expectLeading(page, 0)

  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expectLeading(page, 1)
  await expect(announcement(page)).toContainText('Testimonial 2 of 8')

  await page.keyboard.press('Tab')
  await expectRotating(page)

  await page.clock.runFor(3000)
  await expectLeading(page, 2)
})

test('under reduced motion, the testimonials move only when a button is pressed', async ({
  page,
}) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.clock.install()
  await page.goto('/')
  await expect(button(page, 'Play the testimonials')).toBeVisible()

  await page.clock.runFor(12_000)
  await expectLeading(page, 0)

  await button(page, 'Next testimonial').click()
  await expectLeading(page, 1)
})

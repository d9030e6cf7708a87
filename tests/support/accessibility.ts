import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/**
 * Below and above every breakpoint. Themes differ in colors alone, so that each is looked at once.
 */
const views = [
  { width: 320, colorScheme: 'dark' },
  { width: 1440, colorScheme: 'light' },
] as const

/**
 * Expects a page without a violation that axe finds and without a sideways scroll, on phones and
 * screens, in both themes.
 */
export async function expectAccessible(page: Page): Promise<void> {
  for (const { width, colorScheme } of views) {
    await page.setViewportSize({ width, height: 900 })
    await expectToFit(page)
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await expectNoViolations(page)
  }
}

/** Expects no sideways scroll, once the page is laid out for its new width. */
export async function expectToFit(page: Page): Promise<void> {
  const width = page.viewportSize()?.width ?? 0
  const scrollWidth = () => page.evaluate(() => document.documentElement.scrollWidth)
  await expect
    .poll(scrollWidth, { message: `scroll width at ${width} px` })
    .toBeLessThanOrEqual(width)
}

async function expectNoViolations(page: Page): Promise<void> {
  await settled(page)
  // Otherwise it opens a blank page each time, for cross-origin frames, which the policy forbids
  // anyway.
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze()
  const problems = violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`,
  )
  expect(problems, `at ${page.viewportSize()?.width} px`).toEqual([])
}

/**
 * Waits until the colors of the new theme are complete. A transition of an inherited color starts
 * further transitions in the elements below it, so that one round of waiting is not enough.
 */
async function settled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve))
    const listTransitions = () =>
      document.getAnimations().filter((animation) => animation instanceof CSSTransition)

    let transitions: CSSTransition[]
    do {
      await nextFrame()
      await nextFrame()
      transitions = listTransitions()
      await Promise.allSettled(transitions.map(({ finished }) => finished))
    } while (transitions.length > 0)
  })
}

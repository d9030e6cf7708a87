import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/** Below and above every breakpoint. */
const widths = [320, 1440]

/** Expects a page without a violation that axe finds and without a sideways scroll, on phones and screens, in both themes. */
export async function expectAccessible(page: Page): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 })
    await expectToFit(page)
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
    await expectNoViolations(page, new AxeBuilder({ page }))
    // The dark theme changes colors and nothing else.
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
    await expectNoViolations(page, new AxeBuilder({ page }).withRules('color-contrast'))
  }
}

/** Expects no sideways scroll, once the page is laid out for its new width. */
export async function expectToFit(page: Page): Promise<void> {
  const width = page.viewportSize()?.width ?? 0
  const scrollWidth = () => page.evaluate(() => document.documentElement.scrollWidth)
  await expect.poll(scrollWidth, { message: `scroll width at ${width} px` }).toBeLessThanOrEqual(width)
}

async function expectNoViolations(page: Page, axe: AxeBuilder): Promise<void> {
  await settled(page)
  // Otherwise it opens a page of its own each time, for frames of other origins, of which the policy allows none.
  const { violations } = await axe.setLegacyMode().analyze()
  const problems = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`)
  expect(problems, `at ${page.viewportSize()?.width} px`).toEqual([])
}

/** Waits until colors have passed from one theme to the other. */
async function settled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    const passing = document.getAnimations().filter((animation) => animation instanceof CSSTransition)
    await Promise.allSettled(passing.map(({ finished }) => finished))
  })
}

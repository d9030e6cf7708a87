import { expect, type Page } from '@playwright/test'

/** Waits until React has hydrated the page. Before that, forms and links work without scripts. */
export async function waitForHydration(page: Page): Promise<void> {
  await expect(page.locator('html')).toHaveAttribute('data-hydrated', '')
}

/**
 * The browser's longest wait for an idle moment. On a busy machine, an animation may leave none.
 */
const idleTimeoutMs = 5_000

/** Waits until everything has begun that a hydrated page starts in its first idle moment. */
export async function waitUntilIdle(page: Page): Promise<void> {
  await page.waitForLoadState('load')
  await waitForHydration(page)

  await page.evaluate(
    (timeout) =>
      new Promise((resolve) =>
        requestIdleCallback(() => requestIdleCallback(resolve, { timeout }), { timeout }),
      ),
    idleTimeoutMs,
  )
}

/** Waits for the fonts and pictures that can still change the layout of the page. */
export async function waitForLayout(page: Page): Promise<void> {
  await waitUntilIdle(page)

  await page.evaluate(async () => {
    const visiblePictures = [...document.images].filter(
      (picture) => picture.checkVisibility() && picture.loading !== 'lazy',
    )
    const decodedPictures = visiblePictures.map((picture) => picture.decode())
    await Promise.all([document.fonts.ready, ...decodedPictures])
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
  })
}

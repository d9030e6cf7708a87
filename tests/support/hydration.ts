import { expect, type Page } from '@playwright/test'

/**
 * Waits until the page's script has taken over the server's HTML: before that, forms and links work
 * without it.
 */
export async function waitForHydration(page: Page): Promise<void> {
  await expect(page.locator('html')).toHaveAttribute('data-hydrated', '')
}

/**
 * Long enough for a page to become idle. One that moves may leave a busy machine no idle time at
 * all.
 */
const idleMs = 5_000

/** Waits until everything that a hydrated page starts in its first idle moment has begun. */
export async function waitUntilIdle(page: Page): Promise<void> {
  await page.waitForLoadState('load')
  await waitForHydration(page)
  await page.evaluate(
    (timeout) =>
      new Promise((resolve) =>
        requestIdleCallback(() => requestIdleCallback(resolve, { timeout }), { timeout }),
      ),
    idleMs,
  )
}

/**
 * Waits until nothing is on its way any more that could change how the page is laid out: fonts and
 * pictures.
 */
export async function waitForLayout(page: Page): Promise<void> {
  await waitUntilIdle(page)
  await page.evaluate(async () => {
    const pictures = [...document.images].filter(
      (picture) => picture.checkVisibility() && picture.loading !== 'lazy',
    )
    await Promise.all([document.fonts.ready, ...pictures.map((picture) => picture.decode())])
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
  })
}

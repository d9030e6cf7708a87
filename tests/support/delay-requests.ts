import type { Page, Request } from '@playwright/test'

/**
 * Delays a page's requests until the returned function is called.
 *
 * @param urlPattern the glob pattern of the URLs
 * @param shouldDelay selects some of the matching requests
 * @returns sends the delayed requests
 */
export async function delayRequests(
  page: Page,
  urlPattern: string,
  shouldDelay: (request: Request) => boolean = () => true,
): Promise<() => void> {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })

  await page.route(urlPattern, async (route) => {
    if (shouldDelay(route.request())) {
      await released
    }

    await route.fallback()
  })

  return release
}

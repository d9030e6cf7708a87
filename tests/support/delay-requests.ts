import type { Page, Request } from '@playwright/test'

/**
 * Holds back a page's requests to matching addresses, all or those that are `held`.
 *
 * @returns lets them through.
 */
export async function delayRequests(
  page: Page,
  addresses: string,
  shouldDelay: (request: Request) => boolean = () => true,
): Promise<() => void> {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(addresses, async (route) => {
    if (shouldDelay(route.request())) {
      await released
    }

    await route.fallback()
  })

  return release
}

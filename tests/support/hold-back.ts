import type { Page } from '@playwright/test'

/** Holds back a page's requests to matching addresses. @returns lets them through. */
export async function holdBack(page: Page, addresses: string): Promise<() => void> {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(addresses, async (route) => {
    await released
    await route.fallback()
  })
  return release
}

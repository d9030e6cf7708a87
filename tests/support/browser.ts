import { test as base, expect, type Page } from '@playwright/test'

type Guard = {
  /** Console errors that a test provokes on purpose; any other one fails it. */
  allowConsoleError(pattern: RegExp): void
  /** Allows the errors of requests that fail because the test has taken the browser offline. */
  allowOfflineErrors(): void
}

// React Router reports the second error when it can't load the routes behind a page's links.
const offlineErrors = [/ERR_INTERNET_DISCONNECTED/, /Failed to fetch manifest patches/]

/**
 * Playwright's `test`, which also fails on an unexpected console error, a page error or a request
 * to another host.
 */
export const test = base.extend<{ guard: Guard; otherHosts: string[] }>({
  /**
   * Hosts besides the product's own that pages of a journey may ask: a provider that people sign in
   * with.
   */
  otherHosts: [[], { option: true }],
  guard: [
    async ({ context, baseURL, otherHosts, javaScriptEnabled }, use) => {
      const allowed: RegExp[] = []
      const problems: string[] = []
      context.on('console', (message) => {
        const noisy =
          message.type() === 'error' ||
          (message.type() === 'warning' && /hydrat|react/i.test(message.text()))
        if (noisy) {
          problems.push(message.text())
        }
      })

      context.on('weberror', (error) => problems.push(String(error.error())))
      context.on('request', (request) => {
        const { protocol, host } = new URL(request.url())
        const known = [new URL(baseURL ?? '').host, ...otherHosts]
        if (protocol.startsWith('http') && !known.includes(host)) {
          problems.push(`request to ${host}`)
        }
      })

      if (javaScriptEnabled !== false) {
        context.on('page', waitForScripts)
      }

      await use({
        allowConsoleError: (pattern) => allowed.push(pattern),
        allowOfflineErrors: () => allowed.push(...offlineErrors),
      })
      expect(
        problems.filter((problem) => !allowed.some((pattern) => pattern.test(problem))),
      ).toEqual([])
    },
    { auto: true },
  ],
})

/**
 * Browsers call a page loaded before its scripts have taken it over: a journey's steps wait for
 * both. A journey that keeps the scripts away says itself what it waits for (`waitUntil`).
 */
function waitForScripts(page: Page): void {
  for (const name of ['goto', 'reload'] as const) {
    const load = page[name].bind(page) as (...args: unknown[]) => ReturnType<Page['goto']>
    page[name] = async (...args: unknown[]) => {
      const response = await load(...args)
      if (args.some((arg) => typeof arg === 'object' && arg !== null && 'waitUntil' in arg)) {
        return response
      }

      await page.waitForFunction(hasTakenOver)

      return response
    }
  }
}

/** Only pages of the product have a script to wait for. */
const hasTakenOver = () =>
  'hydrated' in document.documentElement.dataset ||
  document.querySelector('script[type=module]') === null

export { expect }

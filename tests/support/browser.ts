import { test as base, expect, type Page } from '@playwright/test'
import { recordRequests } from './offline'

type ErrorGuard = {
  /** Allows console errors that the test provokes on purpose. */
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
export const test = base.extend<{ guard: ErrorGuard; otherHosts: string[] }>({
  /** Hosts besides the product's own that pages may request, such as a sign-in provider. */
  otherHosts: [[], { option: true }],
  guard: [
    async ({ context, baseURL, otherHosts, javaScriptEnabled }, use) => {
      const allowedErrors: RegExp[] = []
      const problems: string[] = []
      context.on('console', (message) => {
        const isReactWarning = message.type() === 'warning' && /hydrat|react/i.test(message.text())
        if (message.type() === 'error' || isReactWarning) {
          problems.push(message.text())
        }
      })

      context.on('weberror', (error) => problems.push(String(error.error())))
      context.on('request', (request) => {
        const { protocol, host } = new URL(request.url())
        const allowedHosts = [new URL(baseURL ?? '').host, ...otherHosts]
        if (protocol.startsWith('http') && !allowedHosts.includes(host)) {
          problems.push(`request to ${host}`)
        }
      })

      context.on('page', recordRequests)
      if (javaScriptEnabled !== false) {
        context.on('page', waitForScriptsOnLoad)
      }

      await use({
        allowConsoleError: (pattern) => allowedErrors.push(pattern),
        allowOfflineErrors: () => allowedErrors.push(...offlineErrors),
      })

      const unexpectedProblems = problems.filter(
        (problem) => !allowedErrors.some((pattern) => pattern.test(problem)),
      )
      expect(unexpectedProblems).toEqual([])
    },
    { auto: true },
  ],
})

/**
 * Makes `goto` and `reload` wait until React has hydrated the page, which is later than the
 * browser's load event. A test that keeps the scripts away passes `waitUntil`, and then nothing
 * else is waited for.
 */
export function waitForScriptsOnLoad(page: Page): void {
  for (const name of ['goto', 'reload'] as const) {
    const load = page[name].bind(page) as (...args: unknown[]) => ReturnType<Page['goto']>
    page[name] = async (...args: unknown[]) => {
      const response = await load(...args)

      const hasOwnWait = args.some(
        (arg) => typeof arg === 'object' && arg !== null && 'waitUntil' in arg,
      )
      if (!hasOwnWait) {
        await page.waitForFunction(isHydrated)
      }

      return response
    }
  }
}

/** A page without a module script, such as a provider's, has nothing to wait for. */
const isHydrated = () =>
  'hydrated' in document.documentElement.dataset ||
  document.querySelector('script[type=module]') === null

export { expect }

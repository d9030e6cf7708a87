import { test as base, expect } from '@playwright/test'

type Guard = {
  /** Console errors that a test provokes on purpose; any other one fails it. */
  allowConsoleError(pattern: RegExp): void
}

/** Playwright's `test`, which also fails on an unexpected console error, a page error or a request to another host. */
export const test = base.extend<{ guard: Guard; otherHosts: string[] }>({
  /** Hosts besides the product's own that pages of a journey may ask: a provider that people sign in with. */
  otherHosts: [[], { option: true }],
  guard: [
    async ({ context, baseURL, otherHosts }, use) => {
      const allowed: RegExp[] = []
      const problems: string[] = []
      context.on('console', (message) => {
        const noisy =
          message.type() === 'error' || (message.type() === 'warning' && /hydrat|react/i.test(message.text()))
        if (noisy) problems.push(message.text())
      })
      context.on('weberror', (error) => problems.push(String(error.error())))
      context.on('request', (request) => {
        const { protocol, host } = new URL(request.url())
        const known = [new URL(baseURL ?? '').host, ...otherHosts]
        if (protocol.startsWith('http') && !known.includes(host)) problems.push(`request to ${host}`)
      })
      await use({ allowConsoleError: (pattern) => allowed.push(pattern) })
      expect(problems.filter((problem) => !allowed.some((pattern) => pattern.test(problem)))).toEqual([])
    },
    { auto: true },
  ],
})

export { expect }

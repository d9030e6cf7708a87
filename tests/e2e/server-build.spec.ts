import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from '@playwright/test'

const folder = path.resolve('build/server')
const files = () =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.js'))
    .map((name) => readFileSync(path.join(folder, name), 'utf8'))

for (const [library, sign] of [
  ['React', 'exports.useState = function'],
  ['React Router', 'DataRouterContext.displayName ='],
] as const) {
  test(`the server's bundle has ${library} once`, () => {
    expect(files().reduce((count, text) => count + text.split(sign).length - 1, 0)).toBe(1)
  })
}

test('its files are compressed and kept for a year', async ({ request }) => {
  const html = await (await request.get('/')).text()
  const script = /\/assets\/entry\.client-[^"\s]+\.js/.exec(html)?.[0] ?? ''
  const response = await request.get(script, { headers: { 'Accept-Encoding': 'br' } })

  expect(response.headers()['content-encoding']).toBe('br')
  expect(response.headers()['cache-control']).toContain('immutable')
})

test('a page asks for its style sheet and font before the scripts it preloads', async ({
  request,
}) => {
  const html = await (await request.get('/')).text()
  const preloads = html.match(/<link rel="modulepreload"[^>]*>/g) ?? []

  expect(preloads.length).toBeGreaterThan(0)
  expect(preloads.filter((link) => !link.includes('fetchpriority="low"'))).toEqual([])
})

test('no development build is in it', () => {
  const signs = /react(-dom)?(-server\.node)?\.development\.js|dist\/development\//

  expect(files().filter((text) => signs.test(text))).toHaveLength(0)
  expect(files().some((text) => text.includes('react.production.js'))).toBe(true)
})

test('its source takes one byte a character in memory', () => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: everything beyond ASCII is meant.
  expect(files().filter((text) => /[^\x00-\x7f]/.test(text))).toHaveLength(0)
})

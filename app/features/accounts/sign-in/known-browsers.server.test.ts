import { expect, it } from 'vitest'
import { KnownBrowsers, knownBrowserSeconds } from './known-browsers.server'

let now = Date.parse('2026-11-21T12:00:00Z')
const browsers = new KnownBrowsers('a secret', () => now)

it('a browser that signed in is known for that account and that password only', () => {
  const cookie = browsers.remember(null, 'ada', 'hash')

  expect(browsers.find(cookie, 'ada', 'hash')).toMatch(/^[\w-]{12}$/)
  expect(browsers.find(cookie, 'bob', 'hash')).toBeNull()
  expect(browsers.find(cookie, 'ada', 'another hash')).toBeNull()
})

it('a browser keeps its name at the next sign-in', () => {
  const cookie = browsers.remember(null, 'ada', 'hash')
  const again = browsers.remember(cookie, 'ada', 'hash')

  expect(browsers.find(again, 'ada', 'hash')).toBe(browsers.find(cookie, 'ada', 'hash'))
})

it('a cookie that another secret signed, or that was edited, is a stranger’s', () => {
  const forged = new KnownBrowsers('another secret', () => now).remember(null, 'ada', 'hash')

  expect(browsers.find(forged, 'ada', 'hash')).toBeNull()

  const cookie = browsers.remember(null, 'ada', 'hash')
  const [account, , seconds, signature] = cookie.split('.')

  expect(
    browsers.find([account, 'AAAAAAAAAAAA', seconds, signature].join('.'), 'ada', 'hash'),
  ).toBeNull()

  for (const nonsense of ['', '~~~', 'a.b.c.d', 'x'.repeat(10_000)]) {
    expect(browsers.find(nonsense, 'ada', 'hash')).toBeNull()
  }
})

it('the cookie holds the five latest accounts, and none by its uid', () => {
  let cookie = ''
  for (const uid of [
    'first-uid',
    'second-uid',
    'third-uid',
    'fourth-uid',
    'fifth-uid',
    'sixth-uid',
  ]) {
    cookie = browsers.remember(cookie, uid, 'hash')
  }

  expect(browsers.find(cookie, 'sixth-uid', 'hash')).not.toBeNull()
  expect(browsers.find(cookie, 'first-uid', 'hash')).toBeNull()
  expect(cookie).not.toContain('sixth-uid')
  expect(cookie.length).toBeLessThan(600)
})

it('a browser is forgotten half a year after its last sign-in', () => {
  const cookie = browsers.remember(null, 'ada', 'hash')
  now += knownBrowserSeconds * 1000

  expect(browsers.find(cookie, 'ada', 'hash')).toBeNull()
})

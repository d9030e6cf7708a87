import { describe, expect, it } from 'vitest'
import { createHttpApp } from './http.server'

const origin = 'http://localhost:3000'
const answer = (own: HeadersInit = {}, change?: RequestInit) =>
  createHttpApp({
    pages: async () => new Response('a page', { headers: own }),
    accounts: { handle: async () => new Response('an answer'), findSessionToken: async () => null },
    headers: { 'Learnify-Build': 'test' },
  }).request(`${origin}/AllCourses?page=of-a-test`, change)

describe('the security headers', () => {
  it('stand on every answer', async () => {
    const { headers } = await answer()
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'cross-origin-opener-policy': 'same-origin-allow-popups',
      'cross-origin-resource-policy': 'same-origin',
      'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=()',
      'referrer-policy': 'strict-origin-when-cross-origin',
      'x-content-type-options': 'nosniff',
    })
    expect(headers.has('strict-transport-security')).toBe(false)
  })

  it('give way to those that a route sets itself', async () => {
    const own = {
      'content-security-policy': "default-src 'none'; script-src 'self'",
      'cross-origin-opener-policy': 'unsafe-none',
      'referrer-policy': 'no-referrer',
    }
    expect(Object.fromEntries((await answer(own)).headers)).toMatchObject(own)
  })
})

it('the answer to a change is never stored, whatever its route says', async () => {
  const stored = { 'Cache-Control': 'public, max-age=0' }
  expect((await answer(stored)).headers.get('cache-control')).toBe('public, max-age=0')
  const change = { method: 'POST', headers: { Origin: origin } }
  expect((await answer(stored, change)).headers.get('cache-control')).toBe('no-store')
})

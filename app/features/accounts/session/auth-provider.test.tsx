import { renderToString } from 'react-dom/server'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { AuthProvider, useAuth } from './auth-provider'
import { requestLogout } from './learner-menu'

function Reader() {
  const { user, isSessionKnown, isBusy, error } = useAuth()
  return JSON.stringify({ user, isSessionKnown, isBusy, error })
}

test('useAuth fails outside of its provider, with the reason', () => {
  expect(() => renderToString(<Reader />)).toThrow('useAuth must be used within an AuthProvider')
})

test('the session is loading until the first result: nobody, not busy, no error', () => {
  const html = renderToString(
    <AuthProvider user={undefined} refreshThisTab={async () => {}} isSigningIn={false}>
      <Reader />
    </AuthProvider>,
  )

  expect(JSON.parse(html.replaceAll('&quot;', '"'))).toEqual({
    user: null,
    isSessionKnown: false,
    isBusy: false,
    error: null,
  })
})

const fetched = vi.fn<typeof fetch>()
beforeEach(() => vi.stubGlobal('fetch', fetched))
afterEach(() => {
  vi.unstubAllGlobals()
  fetched.mockReset()
})

test('a logout gives a success flag, and an error text when it failed', async () => {
  fetched.mockResolvedValueOnce(Response.json({ success: true }))

  expect(await requestLogout()).toEqual({ success: true })
  expect(fetched.mock.calls[0]?.[1]?.body).toBe('{}')

  fetched.mockResolvedValueOnce(
    Response.json({ success: false, code: 'internal-error' }, { status: 500 }),
  )

  expect(await requestLogout()).toEqual({ success: false, error: 'Failed to logout' })
})

test('a logout never throws', async () => {
  fetched.mockRejectedValueOnce(new TypeError('Failed to fetch'))

  expect(await requestLogout()).toEqual({
    success: false,
    error: 'Network error. Please check your connection',
  })

  for (const unreadable of [
    'The server is busy. Try again in a moment.',
    '<h1>Bad gateway</h1>',
    'null',
    '[]',
  ]) {
    fetched.mockResolvedValueOnce(new Response(unreadable))
    expect(await requestLogout()).toEqual({ success: false, error: 'Logout failed' })
  }
})

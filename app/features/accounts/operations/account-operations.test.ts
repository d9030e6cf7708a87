import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  login,
  logout,
  readUserDocument,
  register,
  resetPassword,
  updateUserDocument,
  writeUserDocument,
} from './account-operations'

const operations = [
  ['register', () => register({ email: 'a@b.example', password: 'secret-1', firstName: 'A', lastName: 'B' })],
  ['login', () => login({ email: 'a@b.example', password: 'secret-1' })],
  ['logout', () => logout()],
  ['resetPassword', () => resetPassword('a@b.example')],
] as const

const fetched = vi.fn<typeof fetch>()
beforeEach(() => vi.stubGlobal('fetch', fetched))
afterEach(() => {
  vi.unstubAllGlobals()
  fetched.mockReset()
})

describe.each(operations)('%s', (name, run) => {
  it('gives a success flag, and an error text when it failed', async () => {
    fetched.mockResolvedValueOnce(Response.json({ success: true }))
    expect(await run()).toEqual({ success: true })
    fetched.mockResolvedValueOnce(Response.json({ success: false, code: 'user-disabled' }, { status: 403 }))
    const error = name === 'logout' ? 'Failed to logout' : 'This account has been disabled'
    expect(await run()).toEqual({ success: false, error })
  })

  it('never throws', async () => {
    fetched.mockRejectedValueOnce(new TypeError('Failed to fetch'))
    expect(await run()).toEqual({ success: false, error: 'Network error. Please check your connection' })
    for (const unreadable of ['The server is busy. Try again in a moment.', '<h1>Bad gateway</h1>', 'null', '[]']) {
      fetched.mockResolvedValueOnce(new Response(unreadable))
      expect(await run()).toEqual({ success: false, error: expect.stringMatching(/ failed$/) })
    }
  })
})

it('logout sends nothing about anybody', async () => {
  fetched.mockResolvedValueOnce(Response.json({ success: true }))
  await logout()
  expect(fetched.mock.calls[0]?.[1]?.body).toBe('{}')
})

describe('user documents', () => {
  it('are read by uid, and only one’s own', async () => {
    fetched.mockResolvedValueOnce(Response.json({ success: true, user: { uid: 'a/b' } }))
    expect(await readUserDocument('a/b')).toEqual({ uid: 'a/b' })
    expect(fetched.mock.calls[0]?.[0]).toBe('/account/users/a%2Fb')
    fetched.mockResolvedValueOnce(Response.json({ success: false, code: 'forbidden' }, { status: 403 }))
    await expect(readUserDocument('c')).rejects.toThrow('belongs to a different account')
  })

  it('are written whole and in part, with a success flag', async () => {
    const document = { firstName: 'A', lastName: 'B', phone: null, location: null, timezone: null }
    fetched.mockResolvedValueOnce(Response.json({ success: true }))
    expect(await writeUserDocument('u', document)).toEqual({ success: true })
    fetched.mockResolvedValueOnce(Response.json({ success: false, code: 'not-signed-in' }, { status: 401 }))
    const changed = await updateUserDocument('u', { lastLoginAt: new Date(0).toISOString() })
    expect(changed).toEqual({ success: false, error: 'You’re no longer signed in. Please sign in again' })
    expect(fetched.mock.calls.map(([, init]) => init?.method)).toEqual(['PUT', 'PATCH'])
  })
})

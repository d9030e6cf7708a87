import { expect, it } from 'vitest'
import { placeholderName } from '../account-rules'
import { redirectToLogin, requireName } from './require-learner.server'

function openPage(path: string, method = 'GET'): void {
  const url = new URL(path, 'https://learnify.example')
  requireName(placeholderName, { request: new Request(url, { method }), url })
}

it.each(['/Profile/settings', '/profile/settings', '/OWNDATA', '/confirm', '/Profile/sign-in/'])(
  'a learner without a name can open %s',
  (path) => {
    expect(() => openPage(path)).not.toThrow()
  },
)

it('a learner without a name is asked for it before other pages', () => {
  expect(() => openPage('/Profile')).toThrow(expect.objectContaining({ status: 302 }))
  expect(() => openPage('/Profile', 'POST')).not.toThrow()
})

it.each([
  ['/Profile', '/Login'],
  ['/profile/', '/Login'],
  ['/Profile/settings?a=1', '/Login?from=%2FProfile%2Fsettings%3Fa%3D1'],
])('a visitor of %s is led to %s', (path, loginUrl) => {
  const url = new URL(path, 'https://learnify.example')
  const response = redirectToLogin({ request: new Request(url), url, params: {} })

  expect(response.headers.get('Location')).toBe(loginUrl)
})

import { expect, it } from 'vitest'
import { placeholderName } from '../account-rules'
import { requireName } from './require-learner.server'

function openPage(path: string, method = 'GET'): void {
  const url = new URL(path, 'https://learnify.example')
  requireName(placeholderName, { request: new Request(url, { method }), url })
}

it.each(['/Profile/settings', '/profile/settings', '/OWNDATA', '/confirm'])(
  'a learner without a name can open %s',
  (path) => {
    expect(() => openPage(path)).not.toThrow()
  },
)

it('a learner without a name is asked for it before other pages', () => {
  expect(() => openPage('/Profile')).toThrow(expect.objectContaining({ status: 302 }))
  expect(() => openPage('/Profile', 'POST')).not.toThrow()
})

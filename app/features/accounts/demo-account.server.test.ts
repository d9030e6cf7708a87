import { expect, it } from 'vitest'
import { demoUid } from './account-queries.server'
import { findDemoRefusal, isSharedDemo } from './demo-account.server'

const actions = ['profile', 'review', 'note', 'certificate'] as const

it.each(actions)('on a public address the demo account changes no %s, and is told so', (action) => {
  expect(findDemoRefusal(demoUid, action, false)).toMatch(/^The demo account .*\.$/)
})

it.each(actions)(
  'on a loopback address the demo account changes its %s like any learner',
  (action) => {
    expect(findDemoRefusal(demoUid, action, true)).toBeNull()
  },
)

it('other learners are never refused for it', () => {
  expect(actions.map((action) => findDemoRefusal('ada', action, false))).toEqual([
    null,
    null,
    null,
    null,
  ])

  expect(isSharedDemo('ada', false)).toBe(false)
})

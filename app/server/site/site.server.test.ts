import { expect, it } from 'vitest'
import { refreshSite, siteName } from './site.server'

it('a slow reading doesn’t bring back what was before a change', async () => {
  const { promise, resolve } = Promise.withResolvers<{ rows: object[] }>()
  const slow = refreshSite({ execute: () => promise } as never)
  await refreshSite({ execute: async () => ({ rows: [{ part: 'name', value: 'New School' }] }) } as never)
  resolve({ rows: [{ part: 'name', value: 'Old School' }] })
  await slow
  expect(siteName()).toBe('New School')
})

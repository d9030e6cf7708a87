import { expect, it } from 'vitest'
import { refreshSite, siteName } from './site.server'

it('a slow read does not bring back values from before a change', async () => {
  let answer = (_: { rows: object[] }) => {}
  const answered = new Promise<{ rows: object[] }>((resolve) => {
    answer = resolve
  })
  const slow = refreshSite({ execute: () => answered } as never)
  await refreshSite({
    execute: async () => ({ rows: [{ part: 'name', value: 'New School' }] }),
  } as never)
  answer({ rows: [{ part: 'name', value: 'Old School' }] })
  await slow
  expect(siteName()).toBe('New School')
})

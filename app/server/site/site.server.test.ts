import { expect, it } from 'vitest'
import { refreshSite, siteName } from './site.server'

it('a slow read does not bring back values from before a change', async () => {
  let endSlowQuery = (_: { rows: object[] }) => {}
  const slowQuery = new Promise<{ rows: object[] }>((resolve) => {
    endSlowQuery = resolve
  })
  const slowRead = refreshSite({ execute: () => slowQuery } as never)

  await refreshSite({
    execute: async () => ({ rows: [{ part: 'name', value: 'New School' }] }),
  } as never)
  endSlowQuery({ rows: [{ part: 'name', value: 'Old School' }] })
  await slowRead

  expect(siteName()).toBe('New School')
})

import { expect, it } from 'vitest'
import { areSalesPaused, paymentMode, refreshSite, siteName } from './site.server'

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

it('payments that this version can’t read pause sales instead of making courses free', async () => {
  const rows = [{ part: 'payments', value: { mode: 'another provider' } }]
  await refreshSite({ execute: async () => ({ rows }) } as never)
  expect([paymentMode(), areSalesPaused()]).toEqual(['stripe', true])

  await refreshSite({ execute: async () => ({ rows: [] }) } as never)
  expect([paymentMode(), areSalesPaused()]).toEqual(['off', false])
})

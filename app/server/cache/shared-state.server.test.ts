import { afterEach, beforeAll, expect, it } from 'vitest'
import { createTestDatabase } from '../../../tests/support/test-database'
import type { Database } from '../database/client.server'
import { readiness } from '../operations/readiness.server'
import {
  currentMaintenance,
  currentVersion,
  readSharedState,
  recordMaintenance,
  renewPublicPages,
  updateSharedState,
} from './shared-state.server'

let db: Database
let clearCount = 0
beforeAll(async () => {
  db = (await createTestDatabase()).db
})
const readState = () =>
  updateSharedState(() => {
    clearCount += 1
  }, db)
const renew = () => db.transaction((transaction) => renewPublicPages(transaction))

afterEach(async () => {
  await recordMaintenance(db, null)
  await readState()
  clearCount = 0
})

it('a process clears its cache once for all changes since its last read', async () => {
  await readState()
  clearCount = 0
  await readState()
  expect(clearCount).toBe(0)

  await renew()
  await renew()
  await readState()
  await readState()
  expect(clearCount).toBe(1)
  expect(currentVersion()).toBe((await readSharedState(db)).version)
})

it('a change that was rolled back does not clear the cache', async () => {
  await readState()
  clearCount = 0
  const failedChange = db.transaction(async (transaction) => {
    await renewPublicPages(transaction)
    throw new Error('rolled back')
  })
  await expect(failedChange).rejects.toThrow('rolled back')

  await readState()
  expect(clearCount).toBe(0)
})

it('maintenance is known after the next read, warns on /readyz, and does not clear the cache', async () => {
  await readState()
  clearCount = 0
  await recordMaintenance(db, { message: null, until: '2026-11-22T15:30:00.000Z' })
  expect(currentMaintenance()).toBeNull()

  await readState()
  const maintenance = {
    message: null,
    until: '2026-11-22T15:30:00.000Z',
    since: expect.any(String),
  }

  expect(currentMaintenance()).toEqual(maintenance)

  readiness.enter('serving')
  expect((await readiness.report()).warnings).toMatchObject({
    maintenance: expect.stringContaining('is on'),
  })

  await recordMaintenance(db, null)
  await readState()
  expect(currentMaintenance()).toBeNull()
  expect((await readiness.report()).warnings).not.toHaveProperty('maintenance')
  expect(clearCount).toBe(0)
})

it('turning maintenance on or off a second time changes nothing', async () => {
  const on = { message: null, until: null }

  expect([await recordMaintenance(db, on), await recordMaintenance(db, on)]).toEqual([true, false])
  expect([await recordMaintenance(db, null), await recordMaintenance(db, null)]).toEqual([
    true,
    false,
  ])
})

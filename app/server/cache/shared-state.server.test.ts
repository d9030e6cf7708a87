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
let emptied = 0
beforeAll(async () => {
  db = (await createTestDatabase()).db
})
const read = () =>
  updateSharedState(() => {
    emptied += 1
  }, db)
const renew = () => db.transaction((transaction) => renewPublicPages(transaction))

afterEach(async () => {
  await recordMaintenance(db, null)
  await read()
  emptied = 0
})

it('a process empties its cache once for changes that any process made, however many there were', async () => {
  await read()
  emptied = 0
  await read()
  expect(emptied).toBe(0)
  await renew()
  await renew()
  await read()
  await read()
  expect(emptied).toBe(1)
  expect(currentVersion()).toBe((await readSharedState(db)).version)
})

it('a change that was rolled back empties no cache', async () => {
  await read()
  emptied = 0
  const failing = db.transaction(async (transaction) => {
    await renewPublicPages(transaction)
    throw new Error('rolled back')
  })
  await expect(failing).rejects.toThrow('rolled back')
  await read()
  expect(emptied).toBe(0)
})

it('maintenance is known as of the last read, warns on /readyz, and empties no cache', async () => {
  await read()
  emptied = 0
  await recordMaintenance(db, { message: null, until: '2026-11-22T15:30:00.000Z' })
  expect(currentMaintenance()).toBeNull()
  await read()
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
  await read()
  expect(currentMaintenance()).toBeNull()
  expect((await readiness.report()).warnings).not.toHaveProperty('maintenance')
  expect(emptied).toBe(0)
})

it('turning maintenance on or off again is no beginning and no end', async () => {
  const on = { message: null, until: null }
  expect([await recordMaintenance(db, on), await recordMaintenance(db, on)]).toEqual([true, false])
  expect([await recordMaintenance(db, null), await recordMaintenance(db, null)]).toEqual([
    true,
    false,
  ])
})

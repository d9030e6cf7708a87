import { beforeAll, describe, expect, it } from 'vitest'
import { testDatabase } from '../../../../tests/support/test-database'
import type { Database } from '../../database/client.server'
import { lastBackup } from '../../database/schema'
import { Readiness } from '../readiness.server'
import { backupCheck, backupWarning, recordBackup } from './last-backup.server'

const now = new Date('2026-11-22T12:00:00Z')
const hoursAgo = (hours: number) => new Date(now.getTime() - hours * 3_600_000)

describe('the warning about backups', () => {
  it('comes when the last one is older than the operator allows', () => {
    expect(backupWarning(hoursAgo(26), now, 26, true)).toBeNull()
    expect(backupWarning(hoursAgo(49.5), now, 26, true)).toBe('The last backup is 49 hours old.')
    expect(backupWarning(hoursAgo(49.5), now, 26, false)).toBe('The last backup is 49 hours old.')
  })

  it('comes without any backup only where learners are', () => {
    expect(backupWarning(null, now, 26, true)).toBe('There is no backup yet.')
    expect(backupWarning(null, now, 26, false)).toBeNull()
  })

  it('can be switched off', () => {
    expect(backupWarning(hoursAgo(1000), now, 0, true)).toBeNull()
    expect(backupWarning(null, now, 0, true)).toBeNull()
  })
})

describe('on the database', () => {
  let db: Database
  beforeAll(async () => {
    db = (await testDatabase()).db
  })

  it('/readyz warns until a backup is made, and again when it is old', async () => {
    const readiness = new Readiness()
    readiness.enter('serving')
    const warning = async () => (await readiness.report()).warnings.backup
    let hours = 0
    const clock = () => new Date(Date.now() + hours * 3_600_000)
    const check = backupCheck(db, readiness, { hours: 26, isPublic: true, clock })
    await check()
    expect(await warning()).toBe('There is no backup yet.')
    await recordBackup(db, 1_000)
    await check()
    expect(await warning()).toBeUndefined()
    hours = 30
    await check()
    expect(await warning()).toMatch(/^The last backup is (29|30) hours old\.$/)
    await recordBackup(db, 2_000)
    expect(await db.select({ bytes: lastBackup.bytes }).from(lastBackup)).toEqual([
      { bytes: 2_000 },
    ])
  })
})

import { beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase } from '../../../../tests/support/test-database'
import type { Database } from '../../database/client.server'
import { lastBackup } from '../../database/schema'
import { Readiness } from '../readiness.server'
import { createBackupCheck, findBackupWarning, recordBackup } from './last-backup.server'

const now = new Date('2026-11-22T12:00:00Z')
const hoursAgo = (hours: number) => new Date(now.getTime() - hours * 3_600_000)

describe('the warning about backups', () => {
  it('appears when the last backup is older than 26 hours', () => {
    expect(findBackupWarning(hoursAgo(26), now, true)).toBeNull()
    expect(findBackupWarning(hoursAgo(49.5), now, true)).toBe('The last backup is 49 hours old.')
    expect(findBackupWarning(hoursAgo(49.5), now, false)).toBe('The last backup is 49 hours old.')
  })

  it('appears without any backup only if other machines can reach the product', () => {
    expect(findBackupWarning(null, now, true)).toBe('There is no backup yet.')
    expect(findBackupWarning(null, now, false)).toBeNull()
  })
})

describe('the check of the last backup', () => {
  let db: Database
  beforeAll(async () => {
    db = (await createTestDatabase()).db
  })

  it('/readyz warns until a backup is made, and again when it is old', async () => {
    const readiness = new Readiness()
    readiness.enter('serving')
    const warning = async () => (await readiness.report()).warnings.backup
    let hours = 0
    const clock = () => new Date(Date.now() + hours * 3_600_000)
    const check = createBackupCheck(db, readiness, { isPublic: true, clock })
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

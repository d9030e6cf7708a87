import { describe, expect, it } from 'vitest'
import { createTestDatabase } from '../../../../tests/support/test-database'
import { lastBackup } from '../../database/schema'
import { findBackupWarning, readBackupWarning, recordBackup } from './last-backup.server'

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

describe('the warning of a database', () => {
  it('ends when any process has recorded a backup, and comes back when the backup is old', async () => {
    const { db } = await createTestDatabase()
    const readWarning = (hours: number) =>
      readBackupWarning(db, new Date(Date.now() + hours * 3_600_000), true)
    expect(await readWarning(0)).toBe('There is no backup yet.')

    await recordBackup(db, 1_000)
    expect(await readWarning(0)).toBeNull()
    expect(await readWarning(30)).toMatch(/^The last backup is (29|30) hours old\.$/)

    await recordBackup(db, 2_000)
    expect(await db.select({ bytes: lastBackup.bytes }).from(lastBackup)).toEqual([
      { bytes: 2_000 },
    ])
  })
})

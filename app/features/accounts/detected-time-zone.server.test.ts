import { eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Database } from '~/server/database/client.server'
import { users } from '~/server/database/schema/index'
import { log } from '~/server/operations/log.server'
import { createTestDatabase } from '../../../tests/support/test-database'
import { chooseTimeZone, recordDetectedTimezone } from './detected-time-zone.server'

let db: Database

beforeAll(async () => {
  ;({ db } = await createTestDatabase())
  await db
    .insert(users)
    .values({ id: 'ada', name: 'Ada', firstName: 'Ada', email: 'ada@test.example' })
})

const recordZone = (name: string, offsetMinutes: number | null = null) =>
  recordDetectedTimezone(db, 'ada', { name, offsetMinutes })

async function findStoredZone() {
  const [user] = await db
    .select({ zone: users.detectedTimezone })
    .from(users)
    .where(eq(users.id, 'ada'))
  return user?.zone
}

describe("the time zone of a learner's browser", () => {
  it('is stored, also by a legacy name that the database knows', async () => {
    expect(await recordZone('Pacific/Auckland')).toBe(true)
    expect(await findStoredZone()).toBe('Pacific/Auckland')

    expect(await recordZone('Asia/Calcutta')).toBe(true)
    expect(await findStoredZone()).toBe('Asia/Calcutta')
  })

  it('is refused if neither its name nor its offset is known', async () => {
    for (const name of ['Mars/Olympus', '', "'; drop table users", 'EST5EDT4,M3.2.0']) {
      expect(await recordZone(name)).toBe(false)
    }

    expect(await findStoredZone()).toBe('Asia/Calcutta')
  })

  it('is refused if only the database knows its name', async () => {
    const { rows } = await db.execute(
      sql`select name from pg_timezone_names where name = 'Factory'`,
    )

    expect(rows).toHaveLength(1)

    expect(await recordZone('Factory')).toBe(false)
    expect(await findStoredZone()).toBe('Asia/Calcutta')
  })

  it('is replaced by a zone with the same offset if its name is unknown, and the log says so', async () => {
    const warn = vi.spyOn(log, 'warn')
    onTestFinished(() => warn.mockRestore())

    expect(await recordZone('Mars/Olympus', 120)).toBe(true)
    expect(await findStoredZone()).toBe('Etc/GMT-2')
    expect(warn.mock.calls).toEqual([
      [
        { timezone: 'Mars/Olympus', offsetMinutes: 120, storedTimezone: 'Etc/GMT-2' },
        'a browser reported an unknown time zone',
      ],
    ])

    expect(await recordZone('Mars/Olympus', 330)).toBe(true)
    expect(await findStoredZone()).toBe('Asia/Calcutta')
  })
})

describe('a time zone for a database without legacy names', () => {
  const databaseZones = [
    'Asia/Ho_Chi_Minh',
    'Asia/Kathmandu',
    'Asia/Kolkata',
    'Asia/Yangon',
    'Etc/GMT-3',
    'Europe/Kyiv',
  ].map((name) => ({ name, offsetMinutes: 180, isDaylightSavingTime: false }))

  it.each([
    ['Asia/Calcutta', 'Asia/Kolkata'],
    ['Europe/Kiev', 'Europe/Kyiv'],
    ['Asia/Katmandu', 'Asia/Kathmandu'],
    ['Asia/Rangoon', 'Asia/Yangon'],
    ['Asia/Saigon', 'Asia/Ho_Chi_Minh'],
  ])('replaces %s by %s', (legacyName, currentName) => {
    const reportedZone = { name: legacyName, offsetMinutes: null }
    expect(chooseTimeZone(reportedZone, databaseZones)).toBe(currentName)
  })

  it('finds a zone by the offset that JavaScript knows', () => {
    const reportedZone = { name: 'Africa/Nairobi', offsetMinutes: null }
    expect(chooseTimeZone(reportedZone, databaseZones)).toBe('Etc/GMT-3')
  })
})

it('a new name is replaced by the legacy name of an older database', () => {
  const databaseZones = [{ name: 'Europe/Kiev', offsetMinutes: 120, isDaylightSavingTime: false }]
  const reportedZone = { name: 'Europe/Kyiv', offsetMinutes: null }

  expect(chooseTimeZone(reportedZone, databaseZones)).toBe('Europe/Kiev')
})

import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '~/server/database/client.server'
import { users } from '~/server/database/schema/index'
import { createTestDatabase } from '../../../tests/support/test-database'
import { recordDetectedTimezone } from './account-queries.server'

let db: Database

beforeAll(async () => {
  ;({ db } = await createTestDatabase())
  await db
    .insert(users)
    .values({ id: 'ada', name: 'Ada', firstName: 'Ada', email: 'ada@test.example' })
})

const detected = async () =>
  (await db.select({ zone: users.detectedTimezone }).from(users))[0]?.zone

describe("the time zone of a learner's browser", () => {
  it('is remembered, also by an older name', async () => {
    expect(await recordDetectedTimezone(db, 'ada', 'Pacific/Auckland')).toBe(true)
    expect(await detected()).toBe('Pacific/Auckland')
    expect(await recordDetectedTimezone(db, 'ada', 'Asia/Calcutta')).toBe(true)
    expect(await detected()).toBe('Asia/Calcutta')
  })

  it('is not one that the database cannot compute with', async () => {
    for (const zone of ['Mars/Olympus', '', "'; drop table users", 'EST5EDT4,M3.2.0']) {
      expect(await recordDetectedTimezone(db, 'ada', zone)).toBe(false)
    }

    expect(await detected()).toBe('Asia/Calcutta')
  })

  it('is none of those that the database knows and JavaScript does not', async () => {
    const { rows } = await db.execute<{ name: string }>(
      sql`select name from pg_timezone_names where name = 'Factory'`,
    )
    expect(rows).toHaveLength(1)
    expect(await recordDetectedTimezone(db, 'ada', 'Factory')).toBe(false)
    expect(await detected()).toBe('Asia/Calcutta')
  })
})

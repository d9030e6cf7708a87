import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { testDatabase } from '../../../tests/support/test-database'
import type { Database } from '../database/client.server'
import { rateLimits, users } from '../database/schema'
import { recordPassword } from './account-queries.server'
import type { AccountServiceParts } from './account-service-parts.server'
import { AttemptCounter, attemptLimits, Turnstile } from './attempt-limits.server'
import { KnownBrowsers } from './known-browsers.server'
import { confirmOwner, freshSignInMs } from './owner-confirmation.server'
import { hashPassword } from './passwords.server'

const uid = 'ada'
const password = 'Correct-horse-7'
const now = Date.parse('2026-11-20T12:00:00Z')
const session = (ageMs: number) => ({ uid, createdAt: new Date(now - ageMs) })
let db: Database
let parts: AccountServiceParts

beforeAll(async () => {
  ;({ db } = await testDatabase())
  parts = {
    db,
    attempts: new AttemptCounter(db, 'secret', () => now),
    turnstile: new Turnstile(),
    knownBrowsers: new KnownBrowsers('secret', () => now),
    mailQueued: () => {},
    address: () => '127.0.0.1',
    addressFactor: () => 1,
  }
})
beforeEach(async () => {
  await db.delete(users)
  await db.delete(rateLimits)
  await db.insert(users).values({ id: uid, email: 'ada@test.example', name: 'Ada', firstName: 'Ada' })
})

describe('the owner of an account', () => {
  it('shows it by the password, however old the session is', async () => {
    await recordPassword(db, uid, await hashPassword(password))
    expect(await confirmOwner(parts, session(30 * 24 * 3600_000), password, now)).toBeNull()
    expect(await confirmOwner(parts, session(0), 'wrong', now)).toBe('wrong-password')
    expect(await confirmOwner(parts, session(0), '', now)).toBe('wrong-password')
  })

  it('has as many attempts as at the login', async () => {
    await recordPassword(db, uid, await hashPassword(password))
    for (let attempt = 0; attempt < attemptLimits.passwordByAccount.max; attempt++)
      expect(await confirmOwner(parts, session(0), 'wrong', now)).toBe('wrong-password')
    expect(await confirmOwner(parts, session(0), password, now)).toBe('too-many-requests')
  })

  it('without a password shows it by a sign-in of the last five minutes, and nothing that is typed helps', async () => {
    expect(await confirmOwner(parts, session(freshSignInMs), '', now)).toBeNull()
    expect(await confirmOwner(parts, session(freshSignInMs + 1), '', now)).toBe('sign-in-again')
    expect(await confirmOwner(parts, session(freshSignInMs + 1), password, now)).toBe('sign-in-again')
  })
})

import { beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '~/server/database/client.server'
import { twoFactor, users } from '~/server/database/schema/index'
import { createTestDatabase } from '../../../../tests/support/test-database'
import { findUser } from '../account-queries.server'
import { createOneTimeToken } from '../one-time-tokens.server'
import { listSecurityEvents, recordSecurityEvent } from '../security/security-log.server'
import { hasTwoFactor } from '../two-factor/authenticator-app.server'
import { confirmEmail, disownAccount, findAccountToConfirm } from './email-confirmation.server'

let db: Database
beforeAll(async () => {
  db = (await createTestDatabase()).db
})

let people = 0
async function newLearner() {
  people += 1
  const uid = `learner-${people}`
  const email = `${uid}@test.example`
  await db.insert(users).values({ id: uid, email, name: 'Ada', firstName: 'Ada' })

  return { uid, email, token: await createOneTimeToken(db, 'verify-email', uid) }
}

it('looking at a link changes nothing', async () => {
  const { uid, email, token } = await newLearner()
  for (const _ of [1, 2]) {
    expect(await findAccountToConfirm(db, token)).toMatchObject({ email })
  }

  expect(await findUser(db, uid)).toMatchObject({ emailVerified: false, emailVerifiedAt: null })
})

describe('‘No, it wasn’t me’', () => {
  const begin = async () => {
    const learner = await newLearner()
    const hourAgo = new Date(Date.now() - 60 * 60_000)
    const app = {
      uid: learner.uid,
      secret: 'x',
      createdAt: hourAgo,
      enabledAt: hourAgo,
      recoveryHashes: [],
      recoverySalt: '',
    }

    await db.insert(twoFactor).values(app)

    return learner
  }

  it('takes away the second step of a stranger who registered with the address, and is in the log', async () => {
    const { uid, token } = await begin()

    expect(await disownAccount(db, token, '')).toBe(true)
    expect(await hasTwoFactor(db, uid)).toBe(false)
    expect(await listSecurityEvents(db, uid)).toMatchObject([{ kind: 'secured' }])
  })

  it('at a new address leaves the second step that the account had before: its reader may be the stranger', async () => {
    const { uid, token } = await begin()
    await recordSecurityEvent(db, uid, { kind: 'address-changed', userAgent: null })

    expect(await disownAccount(db, token, '')).toBe(true)
    expect(await hasTwoFactor(db, uid)).toBe(true)
  })
})

it('a confirmed address is known with the moment of its confirmation', async () => {
  const { uid, token } = await newLearner()

  expect(await confirmEmail(db, token)).toBe(uid)
  expect(await findUser(db, uid)).toMatchObject({
    emailVerified: true,
    emailVerifiedAt: expect.any(Date),
  })
})

it('a link works for exactly one of two requests at once', async () => {
  const { uid, token } = await newLearner()
  const responses = await Promise.all([confirmEmail(db, token), confirmEmail(db, token)])

  expect(responses.toSorted()).toEqual([uid, null])
})

it('confirming makes the account’s other confirmation links useless', async () => {
  const { uid, token } = await newLearner()
  const older = await createOneTimeToken(db, 'verify-email', uid)
  await confirmEmail(db, token)

  expect(await disownAccount(db, older, '')).toBe(false)
})

it.each(['', 'unknown', 'x'.repeat(5000)])(
  'a link that never was one does nothing',
  async (token) => {
    expect(await findAccountToConfirm(db, token)).toBeNull()
    expect(await confirmEmail(db, token)).toBeNull()
    expect(await disownAccount(db, token, '')).toBe(false)
  },
)

it('a link that is too old does nothing', async () => {
  const { uid } = await newLearner()
  const token = await createOneTimeToken(db, 'verify-email', uid, {
    now: Date.now() - 25 * 60 * 60_000,
  })

  expect(await findAccountToConfirm(db, token)).toBeNull()
  expect(await confirmEmail(db, token)).toBeNull()
})

it('a link to set a password confirms no address', async () => {
  const { uid } = await newLearner()
  const token = await createOneTimeToken(db, 'reset-password', uid)

  expect(await confirmEmail(db, token)).toBeNull()
})

import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { identities, securityEvents, sessions, users } from '~/server/database/schema/index'
import type { AccountClient } from '../../../../tests/support/account-client'
import { publicUrl, TestAccounts } from '../../../../tests/support/test-accounts'
import { attemptLimits } from '../attempt-limits.server'
import { changePassword } from '../password/password-change.server'
import { createRequestContext } from '../session/request-context.server'
import { describeDevice } from './device-name.server'
import { endDevice, listDevices } from './devices.server'
import {
  listSecurityEvents,
  maxEventsPerKind,
  purgeSecurityEvents,
  recordSecurityEvent,
} from './security-log.server'

const accounts = new TestAccounts()
const { createClient, registerPerson, requestResetToken } = accounts
const newPassword = 'Analytical-1843'

/** Creates a learner who is signed in with two browsers. */
async function createLearnerWithTwoBrowsers() {
  const { person, client } = await registerPerson()
  const other = createClient()

  expect(
    (await other.send('POST', '/login', { email: person.email, password: person.password })).status,
  ).toBe(200)

  return { person, client, other, uid: (await client.readUser())?.uid ?? '' }
}

function createContext({ cookies }: AccountClient) {
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  return createRequestContext(new Request(publicUrl, { headers: { cookie } }))
}

const submitChange = (
  client: AccountClient,
  currentPassword: string,
  endOthers = true,
  password = newPassword,
) =>
  changePassword(accounts.service, createContext(client), { currentPassword, password, endOthers })

const canSignIn = async (email: string, password: string) =>
  (await createClient().send('POST', '/login', { email, password })).status === 200

describe('a change of password', () => {
  it('takes the current one, replaces it, and ends the other sessions only', async () => {
    const { person, client, other } = await createLearnerWithTwoBrowsers()

    expect(await submitChange(client, 'not-my-password')).toBe('wrong-password')
    expect(await other.readUser()).not.toBeNull()
    expect(await submitChange(client, person.password)).toBeNull()
    expect(await client.readUser()).not.toBeNull()
    expect(await other.readUser()).toBeNull()
    expect([
      await canSignIn(person.email, person.password),
      await canSignIn(person.email, newPassword),
    ]).toEqual([false, true])
  })

  it('leaves the other sessions if that is wanted', async () => {
    const { person, client, other } = await createLearnerWithTwoBrowsers()

    expect(await submitChange(client, person.password, false)).toBeNull()
    expect(await other.readUser()).not.toBeNull()
  })

  it('ends a link to reset the former password, and is told by email', async () => {
    const { person, client } = await registerPerson()
    const token = await requestResetToken(person.email)

    expect(await submitChange(client, person.password)).toBeNull()
    expect(
      (await createClient().send('POST', '/new-password', { token, password: 'by-the-link-1' }))
        .status,
    ).toBe(410)

    await accounts.mailbox.deliver()
    const mail = accounts.mailbox.deliveredMails.findLast(({ to }) => to === person.email)

    expect(mail?.subject).toBe('Your Learnify password was changed')
    expect(mail?.text).toMatch(/\/NotMe\?key=[\w-]{43}\n/)
  })

  it('proves no address: the owner’s proof removes the new password like the former one', async () => {
    const { person, client } = await registerPerson()
    const uid = (await client.readUser())?.uid ?? ''

    expect(await submitChange(client, person.password)).toBeNull()

    const rows = await accounts.db.select().from(identities).where(eq(identities.userId, uid))

    expect(rows.map(({ proven }) => proven)).toEqual([false])
  })

  it('that two browsers make at once is made by one', async () => {
    const { person, client, other } = await createLearnerWithTwoBrowsers()
    const results = await Promise.all([
      submitChange(client, person.password, false),
      submitChange(other, person.password, false, 'Difference-1822'),
    ])

    expect(results.toSorted()).toEqual([null, 'wrong-password'].toSorted())
  })

  it('is refused after too many wrong passwords, and after too many changes', async () => {
    const { client } = await registerPerson()
    for (let times = 0; times < attemptLimits.wrongPasswordByAccount.max; times++) {
      expect(await submitChange(client, 'not-my-password')).toBe('wrong-password')
    }

    expect(await submitChange(client, 'secret12')).toBe('too-many-requests')

    const otherClient = (await registerPerson()).client
    for (let times = 0; times < attemptLimits.resetByAccount.max; times++) {
      expect(await submitChange(otherClient, 'secret12', false, 'secret12')).toBeNull()
    }

    expect(await submitChange(otherClient, 'secret12')).toBe('too-many-requests')
  })

  it('is for someone who is signed in to an account with a password', async () => {
    expect(await submitChange(createClient(), 'secret12')).toBe('not-signed-in')

    const { client } = await registerPerson()
    const uid = (await client.readUser())?.uid ?? ''
    await accounts.db.delete(identities).where(eq(identities.userId, uid))

    expect(await submitChange(client, 'secret12')).toBe('invalid-request')
  })
})

it('a new password by an emailed link is told by email, too', async () => {
  const { person } = await registerPerson()
  const token = await requestResetToken(person.email)

  expect(
    (await createClient().send('POST', '/new-password', { token, password: newPassword })).status,
  ).toBe(200)

  await accounts.mailbox.deliver()
  const mail = accounts.mailbox.deliveredMails.findLast(({ to }) => to === person.email)

  expect(mail?.subject).toBe('Your Learnify password was changed')
})

describe('the devices of an account', () => {
  it('are listed with this one first, then by last use, without those whose session expired', async () => {
    const { uid } = await createLearnerWithTwoBrowsers()
    const rows = await accounts.db.select().from(sessions).where(eq(sessions.userId, uid))
    const [first, second] = rows
    if (!first || !second) {
      throw new Error('There are two.')
    }

    const longAgo = new Date(Date.now() - 86_400_000)
    await accounts.db.update(sessions).set({ updatedAt: longAgo }).where(eq(sessions.id, first.id))
    const listDevicesSeenBy = async (token: string | null) =>
      (await listDevices(accounts.db, uid, token)).map(({ id, isCurrent }) => [id, isCurrent])

    expect(await listDevicesSeenBy(first.token)).toEqual([
      [first.id, true],
      [second.id, false],
    ])
    expect(await listDevicesSeenBy(null)).toEqual([
      [second.id, false],
      [first.id, false],
    ])

    await accounts.db.update(sessions).set({ expiresAt: longAgo }).where(eq(sessions.id, second.id))

    expect(await listDevicesSeenBy(first.token)).toEqual([[first.id, true]])
  })

  it('hold nothing that would sign somebody in', async () => {
    const { client } = await registerPerson()
    const uid = (await client.readUser())?.uid ?? ''
    const [row] = await accounts.db.select().from(sessions).where(eq(sessions.userId, uid))

    expect(JSON.stringify(await listDevices(accounts.db, uid, row?.token ?? ''))).not.toContain(
      row?.token,
    )
  })

  it('are signed out one by one, by the account itself only', async () => {
    const { client, other, uid } = await createLearnerWithTwoBrowsers()
    const stranger = (await (await registerPerson()).client.readUser())?.uid ?? ''
    const token = await accounts.service.auth.api.readSessionToken({
      headers: createContext(client).headers,
    })
    const [, second] = await listDevices(accounts.db, uid, token)
    await endDevice(accounts.db, stranger, second?.id ?? '')

    expect(await other.readUser()).not.toBeNull()

    await endDevice(accounts.db, uid, second?.id ?? '')

    expect(await other.readUser()).toBeNull()
    expect(await client.readUser()).not.toBeNull()
  })
})

it.each([
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0',
    'Firefox on Windows',
    'computer',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
    'Safari on iPhone',
    'phone',
  ],
  [
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Mobile Safari/537.36',
    'Chrome on Android',
    'phone',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36 Edg/138.0.0.0',
    'Microsoft Edge on macOS',
    'computer',
  ],
  ['', 'Unknown device', 'computer'],
  [null, 'Unknown device', 'computer'],
  ['((((', 'Unknown device', 'computer'],
  ['Account locked: call 555-0142 now/1 x', 'Unknown device', 'computer'],
  ['Call 555-0142/1 (Windows NT 10.0)', 'Windows', 'computer'],
])('the browser that calls itself %j is %s', (userAgent, name, kind) => {
  expect(describeDevice(userAgent)).toEqual({ name, kind })
})

it('a name is short, whatever a browser calls itself', () => {
  expect(describeDevice(`${'x'.repeat(9000)}/1`).name.length).toBeLessThanOrEqual(100)
})

describe('the security log', () => {
  const listEvents = async (uid: string) =>
    (await listSecurityEvents(accounts.db, uid)).map(({ kind }) => kind)
  const dayMs = 24 * 60 * 60_000

  it('has sign-ins, wrong passwords, changes and ended sessions', async () => {
    const { person, client, uid } = await createLearnerWithTwoBrowsers()
    await createClient().send('POST', '/login', {
      email: person.email,
      password: 'not-my-password',
    })
    await submitChange(client, person.password)

    expect((await listEvents(uid)).toSorted()).toEqual(
      ['signed-in', 'signed-in', 'wrong-password', 'password-changed', 'session-ended'].toSorted(),
    )

    const [event] = (await listSecurityEvents(accounts.db, uid)).filter(
      ({ kind }) => kind === 'signed-in',
    )

    expect(event).toMatchObject({ signInMethod: 'password', device: 'Unknown device' })
  })

  it('has no sign-out of a device whose session had expired', async () => {
    const { person, client, uid } = await createLearnerWithTwoBrowsers()
    const token = await accounts.service.auth.api.readSessionToken({
      headers: createContext(client).headers,
    })
    const [, second] = await listDevices(accounts.db, uid, token)
    const longAgo = new Date(Date.now() - dayMs)
    await accounts.db
      .update(sessions)
      .set({ expiresAt: longAgo })
      .where(eq(sessions.id, second?.id ?? ''))

    await submitChange(client, person.password)

    expect(await listEvents(uid)).toContain('password-changed')
    expect(await listEvents(uid)).not.toContain('session-ended')
  })

  it('has a reset, and nothing of a change that was refused', async () => {
    const { person, client } = await registerPerson()
    const uid = (await client.readUser())?.uid ?? ''
    await submitChange(createClient(), person.password)
    const token = await requestResetToken(person.email)
    await createClient().send('POST', '/new-password', { token, password: newPassword })

    expect((await listEvents(uid)).toSorted()).toEqual(['password-reset', 'signed-in'])
  })

  it('has at most a hundred of a kind, so that wrong passwords push nothing else out', async () => {
    const { client } = await registerPerson()
    const uid = (await client.readUser())?.uid ?? ''
    for (let times = 0; times < maxEventsPerKind + 5; times++) {
      await recordSecurityEvent(accounts.db, uid, { kind: 'wrong-password', userAgent: '' })
    }

    const rows = await accounts.db.select().from(securityEvents).where(eq(securityEvents.uid, uid))

    expect(rows.filter(({ kind }) => kind === 'wrong-password')).toHaveLength(maxEventsPerKind)
    expect(rows.filter(({ kind }) => kind === 'signed-in')).toHaveLength(1)
    expect(await listEvents(uid)).toContain('signed-in')
  })

  it('shows 90 days, stores 400, and goes with the account', async () => {
    const { client } = await registerPerson()
    const uid = (await client.readUser())?.uid ?? ''
    const countStoredEvents = () => accounts.db.$count(securityEvents, eq(securityEvents.uid, uid))
    const inDays = (count: number) => Date.now() + count * dayMs

    expect(await listSecurityEvents(accounts.db, uid, inDays(89))).toHaveLength(1)
    expect(await listSecurityEvents(accounts.db, uid, inDays(91))).toHaveLength(0)

    await purgeSecurityEvents(accounts.db, inDays(399))

    expect(await countStoredEvents()).toBe(1)

    await accounts.db.delete(users).where(eq(users.id, uid))

    expect(await countStoredEvents()).toBe(0)
  })

  it('forgets what is older than 400 days', async () => {
    const { client } = await registerPerson()
    const uid = (await client.readUser())?.uid ?? ''
    await purgeSecurityEvents(accounts.db, Date.now() + 401 * dayMs)

    expect(await accounts.db.$count(securityEvents, eq(securityEvents.uid, uid))).toBe(0)
  })
})

import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import {
  identities,
  outbox,
  securityLinks,
  sessions,
  twoFactor,
  users,
} from '~/server/database/schema/index'
import { publicUrl, TestAccounts } from '../../../../tests/support/test-accounts'
import { changeEmail } from '../account-administration.server'
import { getUser } from '../account-queries.server'
import { attemptLimits } from '../attempt-limits.server'
import { createRequestContext } from '../session/request-context.server'
import { findTwoFactor } from '../two-factor/authenticator-app.server'
import {
  createRecoveryLink,
  findRecoveryLink,
  previousEmailRecoveryLinkDays,
  recoveryLinkDays,
  revertAccountChanges,
} from './account-recovery.server'
import { recordSecurityEvent } from './security-log.server'
import { mailSecurityChange } from './security-mails.server'

const accounts = new TestAccounts()
const { createClient, registerPerson, requestResetToken } = accounts
const dayMs = 24 * 60 * 60_000

/** Creates a learner who registered long ago, and whose browser the account knows. */
async function createLongTimeLearner() {
  const { person, client } = await registerPerson()
  const uid = (await client.readUser())?.uid ?? ''
  const longAgo = new Date(Date.now() - 100 * dayMs)
  await accounts.db
    .update(users)
    .set({ createdAt: longAgo, emailVerified: true })
    .where(eq(users.id, uid))
  await accounts.db
    .update(identities)
    .set({ proven: true, createdAt: longAgo })
    .where(eq(identities.userId, uid))

  return { ...person, client, uid }
}

const addGoogle = (uid: string, createdAt: Date) =>
  accounts.db.insert(identities).values({
    id: `${uid}-${+createdAt}`,
    userId: uid,
    providerId: 'google',
    accountId: `${uid}-${+createdAt}`,
    createdAt,
  })

async function listEmailsTo(email: string) {
  await accounts.mailbox.deliver()
  return accounts.mailbox.deliveredMails.filter(({ to }) => to === email)
}

/** Returns the key in the newest emailed link for 'This wasn't me'. */
async function readRecoveryKey(email: string): Promise<string> {
  const emails = await listEmailsTo(email)
  const text = emails.findLast((mail) => mail.text.includes('/NotMe?key='))?.text ?? ''
  return /NotMe\?key=([\w-]+)/.exec(text)?.[1] ?? ''
}

const revertChanges = (key: string) =>
  revertAccountChanges(accounts.service, createRequestContext(new Request(publicUrl)), key)
const signIn = (email: string, password: string) =>
  createClient().send('POST', '/login', { email, password })
const readMethods = (uid: string) =>
  accounts.db.select().from(identities).where(eq(identities.userId, uid))

describe('a sign-in', () => {
  const subject = 'New sign-in to your Learnify account'
  const countSignInEmails = async (email: string) => {
    const emails = await listEmailsTo(email)
    return emails.filter((mail) => mail.subject === subject).length
  }

  it('from a browser that the account doesn’t know is reported by one email', async () => {
    const { email, password, client } = await createLongTimeLearner()
    await client.send('POST', '/login', { email, password })

    expect(await countSignInEmails(email)).toBe(0)

    const newClient = createClient()
    await newClient.send('POST', '/login', { email, password })
    await newClient.send('POST', '/login', { email, password })

    expect(await countSignInEmails(email)).toBe(1)
  })

  it('right after the registration is not reported', async () => {
    const { person } = await registerPerson()
    await signIn(person.email, person.password)

    expect(await countSignInEmails(person.email)).toBe(0)
  })

  it('is reported a limited number of times a day', async () => {
    const { email, password } = await createLongTimeLearner()
    for (let count = 0; count < attemptLimits.deviceMailByAccount.max + 3; count++) {
      await signIn(email, password)
    }

    expect(await countSignInEmails(email)).toBe(attemptLimits.deviceMailByAccount.max)
  })
})

describe('‘This wasn’t me’', () => {
  it('changes nothing when its link is opened', async () => {
    const { email, password, uid } = await createLongTimeLearner()
    await signIn(email, password)
    const key = await readRecoveryKey(email)
    for (const _ of [1, 2]) {
      expect(await findRecoveryLink(accounts.db, key)).toMatchObject({ uid, email })
    }

    expect(await accounts.db.$count(sessions, eq(sessions.userId, uid))).toBe(2)
  })

  it('ends sessions, password, pending resets and what was added since, and begins a reset', async () => {
    const { email, password, uid, client } = await createLongTimeLearner()
    await addGoogle(uid, new Date(Date.now() - 50 * dayMs))
    await signIn(email, password)
    const key = await readRecoveryKey(email)
    await addGoogle(uid, new Date())
    // Begun before the email, and turned on after it.
    const app = {
      uid,
      secret: 'x',
      createdAt: new Date(Date.now() - dayMs),
      recoveryHashes: [],
      recoverySalt: '',
    }

    await accounts.db.insert(twoFactor).values({ ...app, enabledAt: new Date() })
    const pending = await requestResetToken(email)

    expect(await revertChanges(key)).toBe('secured')
    expect(await client.readUser()).toBeNull()
    expect(await accounts.db.$count(twoFactor, eq(twoFactor.uid, uid))).toBe(0)
    expect(await accounts.db.$count(sessions, eq(sessions.userId, uid))).toBe(0)
    expect((await signIn(email, password)).body.code).toBe('wrong-password')
    expect(
      (await readMethods(uid)).map(({ providerId, createdAt }) => [
        providerId,
        createdAt < new Date(Date.now() - dayMs),
      ]),
    ).toEqual([['google', true]])

    expect(
      (
        await createClient().send('POST', '/new-password', {
          token: pending,
          password: 'by-the-thief',
        })
      ).status,
    ).toBe(410)

    const token = await accounts.mailbox.readTokenSentTo(email)

    expect(
      (await createClient().send('POST', '/new-password', { token, password: 'mine-again-1' }))
        .status,
    ).toBe(200)
    expect((await signIn(email, 'mine-again-1')).status).toBe(200)
  })

  it('takes recovery codes away that were made since, and leaves those of before', async () => {
    const { email, uid } = await createLongTimeLearner()
    const longAgo = new Date(Date.now() - dayMs)
    const app = {
      uid,
      secret: 'x',
      createdAt: longAgo,
      enabledAt: longAgo,
      recoveryHashes: ['hash'],
      recoverySalt: 'x',
    }

    await accounts.db.insert(twoFactor).values(app)
    const countRecoveryCodes = async () =>
      (await findTwoFactor(accounts.db, uid))?.recoveryHashes.length

    expect(
      await revertChanges(await createRecoveryLink(accounts.db, { uid, since: new Date(), email })),
    ).toBe('secured')
    expect(await countRecoveryCodes()).toBe(1)

    await accounts.db.transaction((tx) =>
      recordSecurityEvent(tx, uid, { kind: 'recovery-codes-made', userAgent: '' }),
    )

    expect(
      await revertChanges(
        await createRecoveryLink(accounts.db, { uid, since: new Date(Date.now() - 60_000), email }),
      ),
    ).toBe('secured')

    expect(await countRecoveryCodes()).toBe(0)
  })

  it('works for exactly one of two presses at once, and for a week', async () => {
    const { email, uid } = await createLongTimeLearner()
    const link = { uid, since: new Date(), email }
    const key = await createRecoveryLink(accounts.db, link)

    expect((await Promise.all([revertChanges(key), revertChanges(key)])).toSorted()).toEqual([
      'link-expired',
      'secured',
    ])

    const old = await createRecoveryLink(accounts.db, link, accounts.now - recoveryLinkDays * dayMs)

    expect(await revertChanges(old)).toBe('link-expired')
    expect(await revertChanges('never was one')).toBe('link-expired')
  })

  it('stores no secret of a link', async () => {
    const { email, uid } = await createLongTimeLearner()
    const key = await createRecoveryLink(accounts.db, { uid, since: new Date(), email })

    expect(JSON.stringify(await accounts.db.select().from(securityLinks))).not.toContain(key)
  })

  it('gives the account its former address back, and makes the links to the new one useless', async () => {
    const { email, password, uid } = await createLongTimeLearner()
    const user = await getUser(accounts.db, uid)
    await accounts.db.transaction((tx) => changeEmail(tx, user, `thief-of-${email}`))
    const key = await readRecoveryKey(email)
    const latest = new Date(accounts.now + (previousEmailRecoveryLinkDays - 1) * dayMs).getTime()

    expect(await findRecoveryLink(accounts.db, key, latest)).not.toBeNull()

    await signIn(`thief-of-${email}`, password)
    const thiefsKey = await readRecoveryKey(`thief-of-${email}`)

    expect(await findRecoveryLink(accounts.db, thiefsKey)).not.toBeNull()

    expect(await revertChanges(key)).toBe('secured')
    expect(await getUser(accounts.db, uid)).toMatchObject({ email, emailVerified: true })
    expect(await revertChanges(thiefsKey)).toBe('link-expired')
    expect((await listEmailsTo(email)).at(-1)?.subject).toBe('Reset your Learnify password')
  })

  it('of a later email leaves that of an earlier one, so that a thief can’t turn it off', async () => {
    const { email, uid } = await createLongTimeLearner()
    const earlier = await createRecoveryLink(accounts.db, {
      uid,
      since: new Date(Date.now() - dayMs),
      email,
    })
    const later = await createRecoveryLink(accounts.db, {
      uid,
      since: new Date(),
      email: `thief-of-${email}`,
    })

    await revertChanges(later)

    expect(await revertChanges(earlier)).toBe('secured')
    expect(await getUser(accounts.db, uid)).toMatchObject({ email })
  })

  it('disables the account if another one has the address by now', async () => {
    const { email, uid } = await createLongTimeLearner()
    const user = await getUser(accounts.db, uid)
    await accounts.db.transaction((tx) => changeEmail(tx, user, `new-${email}`))
    const key = await readRecoveryKey(email)
    await createClient().send('POST', '/register', {
      email,
      password: 'secret12',
      firstName: 'Eve',
      lastName: 'X',
    })

    expect(await revertChanges(key)).toBe('disabled')
    expect(await getUser(accounts.db, uid)).toMatchObject({ email: `new-${email}`, banned: true })
    expect(await accounts.db.$count(outbox, eq(outbox.uid, uid))).toBe(0)
  })
})

it('a change of factors is told with the link, and is written with its cause', async () => {
  const { email, uid } = await createLongTimeLearner()
  await accounts.db.transaction((tx) => mailSecurityChange(tx, uid, 'passkey-added'))
  const mail = (await listEmailsTo(email)).at(-1)

  expect(mail?.subject).toBe('A passkey was added to your Learnify account')
  expect(mail?.html).toContain('This wasn’t me</a>')
  expect(await findRecoveryLink(accounts.db, await readRecoveryKey(email))).toMatchObject({ uid })
})

import { eq } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { demoUid } from '~/features/accounts/account-queries.server'
import { attemptLimits } from '~/features/accounts/attempt-limits.server'
import { proveOwner } from '~/features/accounts/email-address/email-confirmation.server'
import { createOneTimeToken, findOneTimeToken } from '~/features/accounts/one-time-tokens.server'
import type { Database } from '~/server/database/client.server'
import * as tables from '~/server/database/schema'
import { adminOf, auditOf, countedAttempts } from '../../tests/support/admin'
import { Mailbox } from '../../tests/support/mailbox'
import { testDatabase } from '../../tests/support/test-database'

const later = new Date(Date.now() + 3_600_000)
const photo = 'photos/AAAAAAAAAAAAAAAAAAAAAAAA.webp'
const removed: string[] = []
let db: Database
let admin: ReturnType<typeof adminOf>

const person = (id: string) => ({
  id,
  email: `${id}@test.example`,
  name: `${id} Lovelace`,
  firstName: id,
})
const userOf = async (id: string) =>
  (await db.select().from(tables.users).where(eq(tables.users.id, id)))[0]
const mails = async () => (await db.select().from(tables.outbox)).map(({ kind }) => kind)

beforeAll(async () => {
  ;({ db } = await testDatabase())
  admin = adminOf(db, removed)
})
beforeEach(async () => {
  await db.delete(tables.users)
  const ada = {
    ...person('ada'),
    emailVerified: true,
    emailVerifiedAt: new Date(),
    image: `/files/${photo}`,
  }

  await db
    .insert(tables.users)
    .values([ada, person('eve'), person(demoUid)].map((one) => ({ image: null, ...one })))
  await db.insert(tables.sessions).values({ id: 's', token: 't', userId: 'ada', expiresAt: later })
  const password = {
    id: 'i',
    userId: 'ada',
    providerId: 'credential',
    accountId: 'ada',
    password: 'hash',
    proven: true,
  }

  await db.insert(tables.identities).values(password)
})

it('two-step sign-in is turned off with a reason, which stays in the audit, and the learner is told', async () => {
  const turnOff = (...more: string[]) => admin('learner', 'turn-off-two-step', 'ada', ...more)
  const app = {
    uid: 'ada',
    secret: 's',
    createdAt: later,
    enabledAt: later,
    recoveryHashes: [],
    recoverySalt: '',
  }

  await db.insert(tables.twoFactor).values(app)
  await expect(turnOff()).rejects.toThrow('This needs a reason')
  await expect(turnOff('--reason', ' ')).rejects.toThrow('This needs a reason')
  expect(await db.$count(tables.twoFactor)).toBe(1)
  expect(await turnOff('--reason', 'Called back')).toContain('Two-step sign-in is off')
  expect([await db.$count(tables.twoFactor), await db.$count(tables.sessions)]).toEqual([0, 0])
  expect(await mails()).toEqual(['security-changed'])
  expect((await auditOf(db, 'learner turn-off-two-step')).at(-1)).toMatchObject({
    subject: 'ada',
    arguments: { reason: 'Called back' },
  })
  await expect(turnOff('--reason', 'Again')).rejects.toThrow('The account has no two-step sign-in.')
})

it('a provider is removed, so that its new identity of the same person is let in, and nothing else is', async () => {
  const identity = { userId: 'ada', providerId: 'sso-acme', accountId: 'former', id: 'acme' }
  await db.insert(tables.identities).values(identity)
  expect(await admin('learner', 'remove-way', 'ada', 'sso-acme')).toContain(
    'That way to sign in is removed',
  )
  const ways = (await db.select().from(tables.identities)).map(({ providerId }) => providerId)
  expect(ways).not.toContain('sso-acme')
  expect([ways.length > 0, await db.$count(tables.sessions)]).toEqual([true, 0])
  expect(await mails()).toEqual(['security-changed'])
  for (const way of ['sso-acme', 'credential']) {
    await expect(admin('learner', 'remove-way', 'ada', way)).rejects.toThrow(
      'isn’t signed in to by',
    )
  }
})

it('the log of an account also has what its learner no longer sees', async () => {
  const longAgo = new Date(Date.now() - 200 * 86_400_000)
  const event = {
    uid: 'ada',
    kind: 'signed-in',
    at: longAgo,
    id: 'e',
    way: 'google',
    device: 'Firefox on Windows',
  } as const

  await db.insert(tables.securityEvents).values(event)
  expect(await admin('learner', 'log', 'ada@test.example')).toMatch(
    /signed-in +google +Firefox on Windows/,
  )
  expect(await admin('learner', 'show', 'ada')).not.toContain('Firefox on Windows')
  expect(await admin('learner', 'log', 'eve')).toBe('Nothing in the last 400 days.')
})

describe('a new email address', () => {
  it('has to be confirmed, ends links to the old one, and is named in no record', async () => {
    const token = await createOneTimeToken(db, 'reset-password', 'ada')
    await admin('learner', 'change-email', 'ada@test.example', ' Ada.King@Test.Example ')
    expect(await userOf('ada')).toMatchObject({
      email: 'ada.king@test.example',
      emailVerified: false,
      emailVerifiedAt: null,
    })

    expect(await findOneTimeToken(db, 'reset-password', token)).toBeNull()
    expect(await mails()).toEqual(['address-changed', 'confirmation'])
    const audit = await auditOf(db, 'learner change-email')
    expect(audit).toMatchObject([{ subject: 'ada', by: 'grace' }])
    expect(JSON.stringify(audit)).not.toContain('@')
  })

  it('is told to whoever reads the old one, even if the new one is confirmed first, but names it to nobody', async () => {
    await admin('learner', 'change-email', 'ada', 'king@test.example')
    await db.transaction((transaction) => proveOwner(transaction, 'ada'))
    const mailbox = new Mailbox(db, 'https://school.example')
    await mailbox.deliver()
    const subject = 'Your Learnify email address was changed'
    expect(mailbox.mails).toMatchObject([{ to: 'ada@test.example', subject }])
    expect(JSON.stringify(mailbox.mails)).not.toContain('king@')
  })

  it('is not told to an address that nobody has confirmed', async () => {
    await admin('learner', 'change-email', 'eve', 'king@test.example')
    expect(await mails()).toEqual(['confirmation'])
  })

  it('lets the password go on, until somebody proves to own the address', async () => {
    await admin('learner', 'change-email', 'ada', 'king@test.example')
    expect(await db.select().from(tables.identities)).toHaveLength(1)
    expect(await db.select().from(tables.sessions)).toHaveLength(1)
    await db.transaction((transaction) => proveOwner(transaction, 'ada'))
    expect(await db.select().from(tables.identities)).toEqual([])
  })

  it.each([
    ['eve@test.example', /^Another account has this email address/],
    ['ada@test.example', /^The account already has this email address/],
    ['ada at home', /doesn’t look like an email address/],
  ])('%s is refused, and changes nothing', async (address, sentence) => {
    const before = await userOf('ada')
    await expect(admin('learner', 'change-email', 'ada', address)).rejects.toThrow(sentence)
    expect(await userOf('ada')).toEqual(before)
    expect(await mails()).toEqual([])
  })
})

it('unlocking forgets what is counted against an account, also from its known browsers, and nothing of others', async () => {
  const attempts = countedAttempts(db)
  const { passwordByAccount, passwordByBrowser } = attemptLimits
  for (let count = 0; count < passwordByAccount.max; count++) {
    await attempts.take(passwordByAccount, 'ada')
  }

  await attempts.take(passwordByBrowser, ['ada', 'browser'])
  await attempts.take(passwordByAccount, 'eve')
  expect(await admin('learner', 'show', 'ada')).toMatch(
    /wrong passwords +5 of 5 +\S+ \S+ UTC +more are refused/,
  )
  expect(await attempts.take(passwordByAccount, 'ada')).toBe(false)
  await admin('learner', 'unlock', 'ada')
  expect(await attempts.take(passwordByAccount, 'ada')).toBe(true)
  expect((await attempts.list('ada')).map(({ limit, count }) => [limit.name, count])).toEqual([
    ['password-account', 1],
  ])
  expect(await attempts.list('eve')).toHaveLength(1)
  await attempts.clearAll('ada')
  expect(await admin('learner', 'unlock', 'ada')).toBe('Nothing was counted against the account.')
  expect(await auditOf(db, 'learner unlock')).toHaveLength(2)
})

describe('an email that never came', () => {
  it('is sent once more', async () => {
    for (const kind of ['confirmation', 'welcome', 'reset']) {
      await admin('learner', 'resend', 'eve', kind)
    }

    expect((await mails()).toSorted()).toEqual(['confirmation', 'reset', 'welcome'])
    expect(
      (await auditOf(db, 'learner resend')).map(({ arguments: given }) => given.email),
    ).toEqual(['confirmation', 'welcome', 'reset'])
  })

  it('is refused where nobody could use it', async () => {
    await expect(admin('learner', 'resend', 'ada', 'confirmation')).rejects.toThrow(
      /already confirmed/,
    )
    await expect(admin('learner', 'resend', 'ada', 'flowers')).rejects.toThrow(
      /^There’s no email 'flowers'/,
    )
    await admin('learner', 'disable', 'eve')
    await expect(admin('learner', 'resend', 'eve', 'reset')).rejects.toThrow(/is disabled/)
    expect(await mails()).toEqual([])
  })
})

it('ending sessions signs out, and disabling does so, too', async () => {
  expect(await admin('learner', 'end-sessions', 'ada')).toBe('Signed out of 1 browser.')
  expect(await admin('learner', 'end-sessions', 'ada')).toBe(
    'The account wasn’t signed in anywhere.',
  )
  await db.insert(tables.sessions).values({ id: 's', token: 't', userId: 'ada', expiresAt: later })
  await admin('learner', 'disable', 'ada')
  expect(await db.select().from(tables.sessions)).toEqual([])
  expect(await userOf('ada')).toMatchObject({ banned: true })
  await admin('learner', 'enable', 'ada')
  expect(await userOf('ada')).toMatchObject({ banned: false })
  expect(await auditOf(db, 'learner end-sessions')).toHaveLength(2)
})

describe('deleting', () => {
  it('needs --yes, and then leaves the record of it alone', async () => {
    await expect(admin('learner', 'delete', 'ada')).rejects.toThrow(/add --yes\.$/)
    expect(await userOf('ada')).toBeDefined()
    expect(await admin('learner', 'delete', 'ada', '--yes')).toBe(
      'The account is deleted. In the audit, it stays as ada.',
    )
    expect(await userOf('ada')).toBeUndefined()
    expect(removed).toEqual([photo])
    const listed = await admin('audit', 'list', '--learner', 'ada')
    expect(listed).toContain('learner delete')
    expect(listed).not.toMatch(/@|Lovelace/)
  })

  it('and disabling leave the school its only owner', async () => {
    await admin('staff', 'give', 'ada', 'owner')
    await expect(admin('learner', 'delete', 'ada', '--yes')).rejects.toThrow(
      /^This is the only owner/,
    )
    await expect(admin('learner', 'disable', 'ada')).rejects.toThrow(/^This is the only owner/)
  })

  it('of a teacher’s role says whether it shows email addresses', async () => {
    await admin('staff', 'give', 'ada', 'teacher', '--courses', 'python-from-zero', '--addresses')
    expect(await auditOf(db, 'staff give')).toMatchObject([
      {},
      { arguments: { seesAddresses: true } },
    ])
  })

  it('and a new address are not for the demo account', async () => {
    await expect(admin('learner', 'delete', demoUid, '--yes')).rejects.toThrow(/^The demo account/)
    await expect(admin('learner', 'change-email', demoUid, 'a@test.example')).rejects.toThrow(
      /^The demo account/,
    )
  })
})

describe('looking up', () => {
  it('finds a part of the address or name in any case, and the uid', async () => {
    for (const text of ['ADA@', 'lovelace', 'ada']) {
      expect(await admin('learner', 'find', text), text).toMatch(
        /ada +ada@test\.example +ada Lovelace +confirmed/,
      )
    }

    expect(JSON.parse(await admin('learner', 'find', 'e', '--json', '--limit', '1'))).toHaveLength(
      1,
    )
    expect(await admin('learner', 'find', '%')).toMatch(/^No account has '%'/)
  })

  it('shows an account without its secrets', async () => {
    const shown = await admin('learner', 'show', 'ADA@test.example')
    expect(shown).toMatch(/^uid +ada$/m)
    expect(shown).toMatch(/password +\S+ \S+ UTC +added by the owner/)
    const data = await admin('learner', 'show', 'ada', '--json')
    expect(JSON.parse(data)).toMatchObject({
      uid: 'ada',
      disabled: false,
      sessions: [{}],
      courses: [],
    })

    expect(data).not.toMatch(/hash|"t"/)
  })

  it('leads to the command that helps an account without a way to sign in', async () => {
    await db
      .insert(tables.users)
      .values({ id: 'bare', email: 'bare@test.example', name: 'Bare', firstName: 'Bare' })
    expect(await admin('learner', 'show', 'bare')).toContain(
      ': npm run admin -- learner resend bare reset\n',
    )
  })

  it.each(['nobody', 'nobody@test.example'])('names %s as unknown', async (name) => {
    await expect(admin('learner', 'show', name)).rejects.toThrow(`'${name}'`)
  })
})

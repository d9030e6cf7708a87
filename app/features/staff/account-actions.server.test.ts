import { eq, sql } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { demoUid } from '~/features/accounts/account-queries.server'
import { AttemptCounter } from '~/features/accounts/attempt-counter.server'
import { attemptLimits } from '~/features/accounts/attempt-limits.server'
import { recordOwnerProof } from '~/features/accounts/email-address/owner-proof.server'
import { createOneTimeToken, findOneTimeToken } from '~/features/accounts/one-time-tokens.server'
import { writeCourseSearch } from '~/features/catalog/search/search-index.server'
import type { Database } from '~/server/database/client.server'
import * as tables from '~/server/database/schema'
import { failure } from '~/server/result'
import { Mailbox } from '../../../tests/support/mailbox'
import { listAuditEntries, operatorContext } from '../../../tests/support/operator'
import { createTestDatabase } from '../../../tests/support/test-database'
import {
  changeLearnerEmail,
  deleteLearner,
  disableAccount,
  enableAccount,
  removeSignInMethod,
  resendLearnerEmail,
  resetSignInLimit,
  signOutEverywhere,
  turnOffTwoStep,
} from './account-actions.server'
import { giveRole, issueOwnerLink, joinAsOwner } from './role-actions.server'
import type { StaffActionContext } from './staff-action.server'

const inOneHour = new Date(Date.now() + 3_600_000)
const photo = 'photos/AAAAAAAAAAAAAAAAAAAAAAAA.webp'
let db: Database
let context: StaffActionContext

const person = (id: string) => ({
  id,
  email: `${id}@test.example`,
  name: `${id} Lovelace`,
  firstName: id,
})

async function findUser(id: string) {
  const [user] = await db.select().from(tables.users).where(eq(tables.users.id, id))
  return user
}

async function listQueuedEmails() {
  const rows = await db.select().from(tables.outbox)
  return rows.map(({ kind }) => kind)
}

/** Returns the sentence of a result, whether it is a success or a failure. */
async function getActionMessage(
  action: Promise<{ ok: true; value: { outcome: string } } | { ok: false; problem: string }>,
) {
  const result = await action
  return result.ok ? result.value.outcome : `refused: ${result.problem}`
}

const startSession = () =>
  db.insert(tables.sessions).values({ id: 's', token: 't', userId: 'ada', expiresAt: inOneHour })

beforeAll(async () => {
  ;({ db } = await createTestDatabase())
  context = operatorContext(db)
})

beforeEach(async () => {
  await db.delete(tables.users)
  const ada = {
    ...person('ada'),
    emailVerified: true,
    emailVerifiedAt: new Date(),
    image: `/files/${photo}`,
  }
  const others = [person('eve'), person(demoUid)].map((each) => ({ ...each, image: null }))

  await db.insert(tables.users).values([ada, ...others])
  await startSession()
  await db.insert(tables.identities).values({
    id: 'i',
    userId: 'ada',
    providerId: 'credential',
    accountId: 'ada',
    password: 'hash',
    proven: true,
  })
})

it('two-step sign-in is turned off with a reason, which stays in the audit, and the learner is told', async () => {
  const turnOff = (reason: string) => getActionMessage(turnOffTwoStep(context, 'ada', reason))
  await db.insert(tables.twoFactor).values({
    uid: 'ada',
    secret: 's',
    createdAt: inOneHour,
    enabledAt: inOneHour,
    recoveryHashes: [],
    recoverySalt: '',
  })

  expect(await turnOff('')).toContain('refused: This needs a reason')
  expect(await turnOff(' ')).toContain('refused: This needs a reason')
  expect(await db.$count(tables.twoFactor)).toBe(1)

  expect(await turnOff('Called back')).toContain('Two-step sign-in is off')
  expect(await db.$count(tables.twoFactor)).toBe(0)
  expect(await db.$count(tables.sessions)).toBe(0)
  expect(await listQueuedEmails()).toEqual(['security-changed'])
  expect(await listAuditEntries(db, 'learner turn-off-two-step')).toMatchObject([
    { by: 'grace', subject: 'ada', arguments: { reason: 'Called back' } },
  ])
  expect(await turnOff('Again')).toBe('refused: The account has no two-step sign-in.')
})

it('a sign-in method is removed, so that its new identity of the same person is let in, and nothing else is', async () => {
  await db
    .insert(tables.identities)
    .values({ userId: 'ada', providerId: 'sso-acme', accountId: 'former', id: 'acme' })

  expect(await getActionMessage(removeSignInMethod(context, 'ada', 'sso-acme'))).toContain(
    'That way to sign in is removed',
  )

  const identities = await db.select().from(tables.identities)
  expect(identities.map(({ providerId }) => providerId)).toEqual(['credential'])
  expect(await db.$count(tables.sessions)).toBe(0)
  expect(await listQueuedEmails()).toEqual(['security-changed'])

  for (const provider of ['sso-acme', 'credential']) {
    expect(await getActionMessage(removeSignInMethod(context, 'ada', provider))).toBe(
      'refused: The account doesn’t use this sign-in method.',
    )
  }
})

describe('a new email address', () => {
  it('has to be confirmed, ends links to the old one, and is named in no audit entry', async () => {
    const token = await createOneTimeToken(db, 'reset-password', 'ada')
    await changeLearnerEmail(context, 'ada@test.example', ' Ada.King@Test.Example ')

    expect(await findUser('ada')).toMatchObject({
      email: 'ada.king@test.example',
      emailVerified: false,
      emailVerifiedAt: null,
    })
    expect(await findOneTimeToken(db, 'reset-password', token)).toBeNull()
    expect(await listQueuedEmails()).toEqual(['address-changed', 'confirmation'])

    const entries = await listAuditEntries(db, 'learner change-email')
    expect(entries).toMatchObject([{ subject: 'ada', by: 'grace' }])
    expect(JSON.stringify(entries)).not.toContain('@')
  })

  it('is announced to the old address without naming it, even if it is confirmed first', async () => {
    await changeLearnerEmail(context, 'ada', 'king@test.example')
    await db.transaction((tx) => recordOwnerProof(tx, 'ada'))

    const mailbox = new Mailbox(db, 'https://school.example')
    await mailbox.deliver()

    expect(mailbox.deliveredMails).toMatchObject([
      { to: 'ada@test.example', subject: 'Your Learnify email address was changed' },
    ])
    expect(JSON.stringify(mailbox.deliveredMails)).not.toContain('king@')
  })

  it('is not announced to an old address that was never confirmed', async () => {
    await changeLearnerEmail(context, 'eve', 'king@test.example')
    expect(await listQueuedEmails()).toEqual(['confirmation'])
  })

  it('leaves the password and the sessions until the new address is confirmed', async () => {
    await changeLearnerEmail(context, 'ada', 'king@test.example')
    expect(await db.$count(tables.identities)).toBe(1)
    expect(await db.$count(tables.sessions)).toBe(1)

    await db.transaction((tx) => recordOwnerProof(tx, 'ada'))
    expect(await db.$count(tables.identities)).toBe(0)
  })

  it('is refused for an account with a role, because the reader of a wrong address would get the role', async () => {
    const grantRole = () =>
      giveRole(context, { account: 'ada', role: 'owner', courseIds: [], seesLearnerEmails: false })
    await grantRole()
    const userBefore = await findUser('ada')

    expect(await getActionMessage(changeLearnerEmail(context, 'ada', 'king@test.example'))).toBe(
      'refused: This account has a role at the desk. Take the role first, and give it again after the new email address is confirmed.',
    )
    expect(await findUser('ada')).toEqual(userBefore)
    expect(await listQueuedEmails()).toEqual([])

    await db.delete(tables.staff)
    expect(await getActionMessage(changeLearnerEmail(context, 'ada', 'king@test.example'))).toBe(
      'The email address is changed. A link to confirm it is on its way.',
    )
    expect(await grantRole()).toMatchObject({
      problem: 'The email address of this account is not confirmed yet.',
    })
  })

  it.each([
    ['eve@test.example', 'refused: Another account has this email address.'],
    ['ada@test.example', 'refused: The account already has this email address.'],
    ['ada at home', expect.stringContaining('doesn’t look like an email address')],
  ])('%s is refused, and changes nothing', async (email, sentence) => {
    const userBefore = await findUser('ada')

    expect(await getActionMessage(changeLearnerEmail(context, 'ada', email))).toEqual(sentence)
    expect(await findUser('ada')).toEqual(userBefore)
    expect(await listQueuedEmails()).toEqual([])
  })
})

it('resetting the sign-in limit forgets the attempts of one account, also from its known browsers', async () => {
  const attempts = new AttemptCounter(db, 'a secret of the tests, 32 letters', Date.now)
  const { wrongPasswordByAccount, wrongPasswordByBrowser } = attemptLimits
  for (let count = 0; count < wrongPasswordByAccount.max; count++) {
    await attempts.consume(wrongPasswordByAccount, 'ada')
  }

  await attempts.consume(wrongPasswordByBrowser, ['ada', 'browser'])
  await attempts.consume(wrongPasswordByAccount, 'eve')
  expect(await attempts.consume(wrongPasswordByAccount, 'ada')).toBe(false)

  await resetSignInLimit(context, 'ada', attempts)
  expect(await attempts.consume(wrongPasswordByAccount, 'ada')).toBe(true)
  expect(await attempts.list('ada')).toMatchObject([{ count: 1 }])
  expect(await attempts.list('eve')).toHaveLength(1)

  await attempts.clearAll('ada')
  expect(await getActionMessage(resetSignInLimit(context, 'ada', attempts))).toBe(
    'Nothing was counted against the account.',
  )
  expect(await listAuditEntries(db, 'learner unlock')).toHaveLength(2)
})

describe('an email that never came', () => {
  it('is sent once more', async () => {
    for (const kind of ['confirmation', 'welcome', 'reset']) {
      await resendLearnerEmail(context, 'eve', kind)
    }

    const emails = await listQueuedEmails()

    expect(emails.toSorted()).toEqual(['confirmation', 'reset', 'welcome'])
    expect(await listAuditEntries(db, 'learner resend')).toMatchObject([
      { arguments: { email: 'confirmation' } },
      { arguments: { email: 'welcome' } },
      { arguments: { email: 'reset' } },
    ])
  })

  it('is refused where nobody could use it', async () => {
    const resend = (account: string, kind: string) =>
      getActionMessage(resendLearnerEmail(context, account, kind))

    expect(await resend('ada', 'confirmation')).toContain('already confirmed')
    expect(await resend('ada', 'flowers')).toContain("There’s no email 'flowers'")

    await disableAccount(context, 'eve')
    expect(await resend('eve', 'reset')).toContain('is disabled')
    expect(await listQueuedEmails()).toEqual([])
  })
})

it('ending sessions signs out, and disabling does so, too', async () => {
  const signOut = () => getActionMessage(signOutEverywhere(context, 'ada'))
  expect(await signOut()).toBe('Signed out of 1 browser.')
  expect(await signOut()).toBe('The account wasn’t signed in anywhere.')

  await startSession()
  await disableAccount(context, 'ada')
  expect(await db.$count(tables.sessions)).toBe(0)
  expect(await findUser('ada')).toMatchObject({ banned: true })

  await enableAccount(context, 'ada')
  expect(await findUser('ada')).toMatchObject({ banned: false })
})

describe('deleting', () => {
  const remove = (account: string, confirmation: string) =>
    deleteLearner(context, { account, confirmation, updateRatings: writeCourseSearch })

  it('needs the email address, returns the photo, and leaves no name in the audit', async () => {
    expect(await remove('ada', 'eve@test.example')).toEqual(
      failure('Type the account’s email address to confirm that it’s the right one.'),
    )
    expect(await findUser('ada')).toBeDefined()

    expect(await remove('ada', 'ADA@test.example')).toMatchObject({
      ok: true,
      value: { outcome: 'The account is deleted.', photo },
    })
    expect(await findUser('ada')).toBeUndefined()

    const entries = await listAuditEntries(db, 'learner delete')
    expect(entries).toMatchObject([{ subject: 'ada' }])
    expect(JSON.stringify(entries)).not.toMatch(/@|Lovelace/)
  })

  it('and disabling leave the school its only owner', async () => {
    const owner = {
      account: 'ada',
      role: 'owner',
      courseIds: [],
      seesLearnerEmails: false,
    } as const
    await giveRole(context, owner)

    expect(await getActionMessage(remove('ada', 'ada@test.example'))).toContain('the only owner')
    expect(await getActionMessage(disableAccount(context, 'ada'))).toContain('the only owner')
  })

  it('and a new address are not for the demo account', async () => {
    const demo = await findUser(demoUid)

    expect(await getActionMessage(remove(demoUid, demo?.email ?? ''))).toContain('The demo account')
    expect(
      await getActionMessage(changeLearnerEmail(context, demoUid, 'a@test.example')),
    ).toContain('The demo account')
  })

  it.each([
    ['ada@xn--bcher-kva.example', ' Ada@bücher.example'],
    // Earlier releases stored the domain's own letters.
    ['ada@bücher.example', 'ADA@BÜCHER.example'],
    ['ada@bücher.example', 'ada@bu\u0308cher.example'],
    ['ada@bücher.example', 'ada@xn--bcher-kva.example'],
  ])('accepts the email address %s as %j', async (email, confirmation) => {
    await db.update(tables.users).set({ email }).where(eq(tables.users.id, 'ada'))

    expect(await remove('ada', 'ada@boecher.example')).toMatchObject({ ok: false })
    expect(await remove('ada', confirmation)).toMatchObject({ ok: true })
  })
})

it.each(['nobody', 'nobody@test.example'])('the unknown account %s is named', async (account) => {
  expect(await getActionMessage(enableAccount(context, account))).toContain(`'${account}'`)
})

describe('the audit log', () => {
  it('has an action together with what it changed, or neither', async () => {
    await db.execute(sql`alter table operator_acts rename to operator_acts_away`)
    await expect(disableAccount(context, 'ada')).rejects.toThrow()

    await db.execute(sql`alter table operator_acts_away rename to operator_acts`)
    expect(await findUser('ada')).toMatchObject({ banned: false })
  })

  it('has the role of an account before a link made it an owner', async () => {
    const manager = {
      account: 'ada',
      role: 'manager',
      courseIds: [],
      seesLearnerEmails: false,
    } as const
    await giveRole(context, manager)
    const link = await issueOwnerLink(context)
    const token = link.ok ? link.value.split('=')[1] : undefined
    const ada = await findUser('ada')
    if (!ada || !token) {
      throw new Error('There is no account or no link.')
    }

    await joinAsOwner(context, ada, token)

    expect(await listAuditEntries(db, 'staff join')).toMatchObject([
      {
        by: 'ada',
        subject: 'ada',
        arguments: { before: 'manager', role: 'owner' },
        changes: { role: { from: 'manager', to: 'owner' } },
      },
    ])
  })

  it('can’t be changed afterward', async () => {
    await disableAccount(context, 'ada')
    await expect(db.delete(tables.operatorActs)).rejects.toMatchObject({
      cause: { message: expect.stringContaining('append-only') },
    })
    await expect(db.execute(sql`update operator_acts set by = 'nobody'`)).rejects.toThrow()

    const entries = await listAuditEntries(db, 'learner disable')
    expect(entries.at(-1)).toMatchObject({
      by: 'grace',
      subject: 'ada',
      arguments: {},
      changes: { disabled: { from: false, to: true } },
      outcome: 'The account is disabled and signed out everywhere.',
    })
  })
})

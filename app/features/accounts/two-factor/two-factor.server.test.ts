import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { connect } from '~/server/database/client.server'
import { identities, twoFactor, users, verifications } from '~/server/database/schema/index'
import type { AccountClient } from '../../../../tests/support/account-client'
import { setUpTwoStep } from '../../../../tests/support/authenticator'
import { TestAccounts } from '../../../../tests/support/test-accounts'
import { accountErrorMessage } from '../account-errors'
import type { AccountService } from '../account-service.server'
import { attemptLimits } from '../attempt-limits.server'
import { listSecurityEvents } from '../security/security-log.server'
import { consumeAppCode } from './authenticator-app.server'
import { consumeRecoveryCode } from './recovery-codes.server'

const accounts = new TestAccounts()
const { createClient, registerPerson } = accounts
const periodMs = 30_000

const getCookieHeader = ({ cookies }: AccountClient) =>
  [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')

async function createLearner() {
  const { person, client } = await registerPerson()
  const uid = (await client.readUser())?.uid ?? ''
  await accounts.db.update(users).set({ emailVerified: true }).where(eq(users.id, uid))

  return { person, client, uid }
}

async function createLearnerWithApp() {
  const learner = await createLearner()
  const { person, client, uid } = learner
  const twoStep = await setUpTwoStep(accounts.service, getCookieHeader(client), {
    uid,
    email: person.email,
  })
  accounts.now += periodMs

  return { ...learner, ...twoStep }
}

async function startSecondStep(
  { email, password }: { email: string; password: string },
  remember = false,
) {
  const client = createClient()
  const response = await client.send('POST', '/login', { email, password, rememberMe: remember })

  expect([response.status, response.body.code]).toEqual([401, 'second-step'])

  return client
}

/** @param zero the zero of the script */
function writeDigits(code: string, zero: string): string {
  const zeroCode = zero.codePointAt(0) ?? 0
  return code.replaceAll(/\d/g, (digit) => String.fromCodePoint(zeroCode + Number(digit)))
}

function writeFullWidth(code: string): string {
  return code.replaceAll(/[!-~]/g, (character) =>
    String.fromCodePoint((character.codePointAt(0) ?? 0) + 0xfee0),
  )
}

const enterCode = async (client: AccountClient, code: string) =>
  (await client.send('POST', '/second-step', { code })).body.code ?? 'signed in'

describe('with two-step sign-in', () => {
  it('the password alone signs nobody in, and a code of the app does', async () => {
    const { person, app } = await createLearnerWithApp()
    const client = await startSecondStep(person)

    expect(await client.readUser()).toBeNull()
    expect(await enterCode(client, await app.createWrongCode(accounts.now))).toBe('wrong-code')
    expect(await client.readUser()).toBeNull()

    const code = await app.createCode(accounts.now)

    expect(await enterCode(client, ` ${code.slice(0, 3)} ${code.slice(3)} `)).toBe('signed in')
    expect(await client.readUser()).not.toBeNull()
  })

  describe('the form of a code', () => {
    // All cases share a learner, because hashing the recovery codes of a learner takes long.
    let learner: Awaited<ReturnType<typeof createLearnerWithApp>>
    beforeAll(async () => {
      learner = await createLearnerWithApp()
    })

    it.each([
      ['with a hyphen', (code: string) => `${code.slice(0, 3)}-${code.slice(3)}`],
      ['with a Unicode minus', (code: string) => `${code.slice(0, 3)}−${code.slice(3)}`],
      [
        'with invisible characters',
        (code: string) => `\u2066${code.slice(0, 3)}\u200b${code.slice(3)}\u2069`,
      ],
      ['with quotation marks and a period', (code: string) => `“${code}”.`],
      ['in Arabic digits', (code: string) => writeDigits(code, '٠')],
      ['in Persian digits', (code: string) => writeDigits(code, '۰')],
      ['in Devanagari digits', (code: string) => writeDigits(code, '०')],
      ['in full-width digits', (code: string) => writeDigits(code, '０')],
    ])('a code of the app may be typed %s', async (_case, formatCode) => {
      const { person, app } = learner
      accounts.now += periodMs
      const code = await app.createCode(accounts.now)

      expect(await enterCode(await startSecondStep(person), formatCode(code))).toBe('signed in')
    })

    it.each(['12345', '1234567', '123-45', '١٢٣٤٥'])(
      'the code %s is incomplete, which is no attempt',
      async (code) => {
        const { person, app } = learner
        accounts.now += periodMs
        const client = await startSecondStep(person)
        for (let attempt = 0; attempt < 20; attempt += 1) {
          expect(await enterCode(client, code)).toBe('incomplete-code')
        }

        expect(accountErrorMessage('incomplete-code')).toBe('A code has six digits')
        expect(await enterCode(client, await app.createCode(accounts.now))).toBe('signed in')
      },
    )
  })

  it('a code works once, one that it was set up with included, and so does the step itself', async () => {
    const { person, app } = await createLearnerWithApp()
    const code = await app.createCode(accounts.now)

    expect(
      await enterCode(await startSecondStep(person), await app.createCode(accounts.now - periodMs)),
    ).toBe('wrong-code')

    const client = await startSecondStep(person)
    const copy = createClient()
    copy.cookies = new Map(client.cookies)

    expect(await enterCode(client, code)).toBe('signed in')
    expect(await enterCode(await startSecondStep(person), code)).toBe('wrong-code')

    accounts.now += periodMs

    expect(await enterCode(copy, await app.createCode(accounts.now))).toBe('second-step-over')
  })

  it('codes of neighboring periods work, and none that is older or newer', async () => {
    const { uid, app } = await createLearnerWithApp()
    accounts.now += 10 * periodMs
    const accepts = async (periods: number) =>
      consumeAppCode(accounts.service, uid, await app.createCode(accounts.now + periods * periodMs))

    expect([await accepts(-2), await accepts(2)]).toEqual(['wrong', 'wrong'])
    expect([await accepts(-1), await accepts(0), await accepts(1)]).toEqual([
      'accepted',
      'accepted',
      'accepted',
    ])
    expect([await accepts(-1), await accepts(0), await accepts(1)]).toEqual([
      'wrong',
      'wrong',
      'wrong',
    ])
  })

  it('too many wrong codes are refused with the right one, until the window ends', async () => {
    const { person, app } = await createLearnerWithApp()
    const wrong = await app.createWrongCode(accounts.now)
    for (let times = 0; times < attemptLimits.signInCodeByAccount.max; times++) {
      expect(await enterCode(await startSecondStep(person), wrong)).toBe('wrong-code')
    }

    expect(await enterCode(await startSecondStep(person), await app.createCode(accounts.now))).toBe(
      'too-many-requests',
    )

    accounts.now += attemptLimits.signInCodeByAccount.windowMs

    expect(await enterCode(await startSecondStep(person), await app.createCode(accounts.now))).toBe(
      'signed in',
    )
  })

  it('somebody who knows the password uses up no code of a browser that was there before', async () => {
    const { person, client, app } = await createLearnerWithApp()
    const wrong = await app.createWrongCode(accounts.now)
    for (let times = 0; times <= attemptLimits.signInCodeByAccount.max; times++) {
      await enterCode(await startSecondStep(person), wrong)
    }

    expect(await enterCode(await startSecondStep(person), wrong)).toBe('too-many-requests')

    const { email, password } = person
    await client.send('POST', '/logout', {})

    expect((await client.send('POST', '/login', { email, password })).body.code).toBe('second-step')
    expect(await enterCode(client, wrong)).toBe('wrong-code')
    expect(await enterCode(client, await app.createCode(accounts.now))).toBe('signed in')
  })

  it('a step that is ten minutes old is over, and so is one from before a new password', async () => {
    const { person, client, app, uid } = await createLearnerWithApp()
    const expiredStep = await startSecondStep(person)
    await accounts.db
      .update(verifications)
      .set({ expiresAt: new Date() })
      .where(eq(verifications.value, uid))

    expect(await enterCode(expiredStep, await app.createCode(accounts.now))).toBe(
      'second-step-over',
    )

    const stepBeforeReset = await startSecondStep(person)
    const token = await accounts.requestResetToken(person.email)

    expect(
      (await createClient().send('POST', '/new-password', { token, password: 'Analytical-1843' }))
        .status,
    ).toBe(200)
    expect(await enterCode(stepBeforeReset, await app.createCode(accounts.now))).toBe(
      'second-step-over',
    )
    expect(await client.readUser()).toBeNull()

    const stepAfterReset = await startSecondStep({ ...person, password: 'Analytical-1843' })

    expect(await enterCode(stepAfterReset, await app.createCode(accounts.now))).toBe('signed in')
  })

  it('follows a first password that was chosen by an emailed link', async () => {
    const { person, app, uid } = await createLearnerWithApp()
    await accounts.db.delete(identities).where(eq(identities.userId, uid))
    const token = await accounts.requestResetToken(person.email)
    const client = createClient()

    const newPassword = { token, password: 'Analytical-1843' }

    expect((await client.send('POST', '/new-password', newPassword)).status).toBe(200)
    expect(await client.readUser()).toBeNull()

    expect(await enterCode(client, await app.createCode(accounts.now))).toBe('signed in')
    expect(await client.readUser()).toMatchObject({ uid })
  })

  it('a disabled account has no second step', async () => {
    const { person, app, uid } = await createLearnerWithApp()
    const client = await startSecondStep(person)
    await accounts.db.update(users).set({ banned: true }).where(eq(users.id, uid))

    expect(await enterCode(client, await app.createCode(accounts.now))).toBe('second-step-over')
    expect(await client.readUser()).toBeNull()
  })

  it('a disabled account’s recovery code is not used up', async () => {
    const { person, recoveryCodes, uid } = await createLearnerWithApp()
    const [recoveryCode = ''] = recoveryCodes
    const client = await startSecondStep(person)
    await accounts.db.update(users).set({ banned: true }).where(eq(users.id, uid))

    expect(await enterCode(client, recoveryCode)).toBe('second-step-over')

    await accounts.db.update(users).set({ banned: false }).where(eq(users.id, uid))

    expect(await enterCode(await startSecondStep(person), recoveryCode)).toBe('signed in')
  })

  it('an invented step is none', async () => {
    const { app } = await createLearnerWithApp()
    const client = createClient()
    const name = 'learnify-3000.second_step'
    for (const value of ['', 'x', 'x.password.remember', '..', '%00.password.forget']) {
      client.cookies.set(name, value)
      expect(await enterCode(client, await app.createCode(accounts.now))).toBe('second-step-over')
    }
  })
})

describe('recovery codes', () => {
  it('are ten, each of which signs in once, however it is typed, and is told by mail', async () => {
    const { person, recoveryCodes, uid } = await createLearnerWithApp()

    expect(new Set(recoveryCodes).size).toBe(10)

    const [first = '', second = ''] = recoveryCodes

    expect(first).toMatch(/^[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}$/)
    expect(
      await enterCode(await startSecondStep(person), first.toLowerCase().replaceAll('-', ' ')),
    ).toBe('signed in')
    expect(await enterCode(await startSecondStep(person), first)).toBe('wrong-code')
    // Copied from a full-width text, with a quotation mark and an invisible character.
    expect(
      await enterCode(await startSecondStep(person), `“\u200b${writeFullWidth(second)}.”`),
    ).toBe('signed in')

    await accounts.mailbox.deliver()
    const subjects = accounts.mailbox.deliveredMails
      .filter(({ to }) => to === person.email)
      .map(({ subject }) => subject)

    expect(subjects).toContain('A recovery code was used to sign in to your Learnify account')

    const [row] = await accounts.db.select().from(twoFactor).where(eq(twoFactor.uid, uid))

    expect(row?.recoveryHashes).toHaveLength(8)
    expect(JSON.stringify(row)).not.toContain(second.replaceAll('-', ''))
  })

  it('are replaced by new ones', async () => {
    const { person, recoveryCodes, submitForm } = await createLearnerWithApp()
    const { data } = await submitForm({ intent: 'new-codes' })
    const newCodes = 'recoveryCodes' in data ? (data.recoveryCodes ?? []) : []

    expect(await enterCode(await startSecondStep(person), recoveryCodes[0] ?? '')).toBe(
      'wrong-code',
    )
    expect(await enterCode(await startSecondStep(person), newCodes[0] ?? '')).toBe('signed in')
  })

  it('are not made after another tab has turned two-step sign-in off', async () => {
    const { submitForm } = await createLearnerWithApp()
    await submitForm({ intent: 'turn-off' })

    expect(await submitForm({ intent: 'new-codes' })).toMatchObject({
      data: { done: false, errors: { form: 'Two-step sign-in is off.' } },
      init: { status: 409 },
    })
  })
})

describe('the settings', () => {
  it('ask for a confirmed address, and for a code of the app before the sign-in does', async () => {
    const { person, client, uid } = await createLearner()
    const account = { uid, email: person.email }
    await accounts.db.update(users).set({ emailVerified: false }).where(eq(users.id, uid))

    await expect(setUpTwoStep(accounts.service, getCookieHeader(client), account)).rejects.toThrow(
      'The set-up is off.',
    )

    await accounts.db.update(users).set({ emailVerified: true }).where(eq(users.id, uid))
    const { submitForm, app } = await setUpTwoStep(
      accounts.service,
      getCookieHeader(client),
      account,
    )
    await submitForm({ intent: 'turn-off' })
    await submitForm({ intent: 'begin' })

    expect(
      await submitForm({ intent: 'enable', code: await app.createCode(accounts.now) }),
    ).toMatchObject({
      data: { done: false, errors: { code: expect.any(String) } },
    })
    expect((await createClient().send('POST', '/login', person)).status).toBe(400)

    const { email, password } = person

    expect((await createClient().send('POST', '/login', { email, password })).status).toBe(200)
  })

  it('end the other sessions if that is wanted, and tell changes by mail and in the log', async () => {
    const { person, client, uid, submitForm } = await createLearnerWithApp()
    const { email, password } = person
    const getLastSubject = async () => {
      await accounts.mailbox.deliver()
      return accounts.mailbox.deliveredMails.findLast(({ to }) => to === email)?.subject
    }

    expect(await getLastSubject()).toBe('Two-step sign-in was turned on for your Learnify account')

    await submitForm({ intent: 'turn-off' })

    expect(await getLastSubject()).toBe('Two-step sign-in was turned off for your Learnify account')

    const other = createClient()

    expect((await other.send('POST', '/login', { email, password })).status).toBe(200)

    await setUpTwoStep(accounts.service, getCookieHeader(client), { uid, email })

    expect(await other.readUser()).not.toBeNull()

    await submitForm({ intent: 'turn-off', endOthers: 'on' })

    expect(await other.readUser()).toBeNull()

    const kinds = (await listSecurityEvents(accounts.db, uid)).map(({ kind }) => kind)

    expect(kinds.filter((kind) => kind.startsWith('two-factor'))).toEqual([
      'two-factor-off',
      'two-factor-on',
      'two-factor-off',
      'two-factor-on',
    ])
  })

  it('never show the secret of an app that is in use, nor replace it', async () => {
    const { person, app, submitForm, uid } = await createLearnerWithApp()
    const [before] = await accounts.db.select().from(twoFactor).where(eq(twoFactor.uid, uid))
    await submitForm({ intent: 'begin' })
    await submitForm({ intent: 'cancel' })
    const [after] = await accounts.db.select().from(twoFactor).where(eq(twoFactor.uid, uid))

    expect(after).toEqual(before)
    expect(await enterCode(await startSecondStep(person), await app.createCode(accounts.now))).toBe(
      'signed in',
    )
  })
})

it('a secret that was replaced without the former one leaves the recovery codes', async () => {
  const { person, app, recoveryCodes, uid } = await createLearnerWithApp()
  await accounts.db.update(twoFactor).set({ secret: '$ba$0$00' }).where(eq(twoFactor.uid, uid))

  expect(await enterCode(await startSecondStep(person), await app.createCode(accounts.now))).toBe(
    'wrong-code',
  )
  expect(await enterCode(await startSecondStep(person), recoveryCodes[0] ?? '')).toBe('signed in')
})

/** Runs a task with three services, which have connections of their own like three processes. */
async function withThreeProcesses<T>(task: (services: AccountService[]) => Promise<T>): Promise<T> {
  const connections = [1, 2, 3].map(() => connect(accounts.databaseUrl, { poolSize: 5 }))
  try {
    return await task(
      connections.map(({ database }) => accounts.openService(undefined, { db: database })),
    )
  } finally {
    await Promise.all(connections.map(({ pool }) => pool.end()))
  }
}

const attemptNumbers = Array.from({ length: 1000 }, (_, attempt) => attempt)
const batchSize = 100

/** Runs a hundred tasks at a time, so that a busy machine has enough database connections. */
async function runInBatches<In, Out>(
  inputs: readonly In[],
  task: (input: In) => Promise<Out>,
): Promise<Out[]> {
  const outputs: Out[] = []
  for (let start = 0; start < inputs.length; start += batchSize) {
    const batch = inputs.slice(start, start + batchSize)
    outputs.push(...(await Promise.all(batch.map(task))))
  }

  return outputs
}

describe('one code, 1,000 attempts, three processes', () => {
  it('of the app: one is accepted', async () => {
    const { uid, app } = await createLearnerWithApp()
    const code = await app.createCode(accounts.now)
    const results = await withThreeProcesses((services) =>
      runInBatches(attemptNumbers, (n) =>
        consumeAppCode(services[n % 3] as AccountService, uid, code),
      ),
    )

    expect(results.filter((result) => result === 'accepted')).toHaveLength(1)
  })

  it('by the sign-in: one session', async () => {
    const { person, client, app, uid } = await createLearnerWithApp()
    const first = await startSecondStep(person)
    const code = await app.createCode(accounts.now)
    const clients = await withThreeProcesses(async (services) => {
      const browsers = attemptNumbers.map((n) => createClient(undefined, services[n % 3]))
      for (const eachBrowser of browsers) {
        eachBrowser.cookies = new Map(first.cookies)
      }

      await runInBatches(browsers, (eachBrowser) => enterCode(eachBrowser, code))

      return browsers
    })
    const hasSession = ({ cookies }: AccountClient) => cookies.has('learnify-3000.session_token')

    expect(clients.filter(hasSession)).toHaveLength(1)
    expect(await client.readUser()).not.toBeNull()
    expect(
      (await accounts.db.select().from(identities).where(eq(identities.userId, uid))).length,
    ).toBe(1)
  })

  it('for recovery: one is accepted', async () => {
    const { uid, recoveryCodes } = await createLearnerWithApp()
    const twentyNumbers = attemptNumbers.slice(0, 20)
    const results = await Promise.all(
      twentyNumbers.map(() => consumeRecoveryCode(accounts.db, uid, recoveryCodes[0] ?? '')),
    )

    expect(results.filter((result) => result === 'accepted')).toHaveLength(1)
  })
})

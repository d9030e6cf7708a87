import { eq, sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import {
  identities,
  passkeys,
  twoFactor,
  users,
  verifications,
} from '~/server/database/schema/index'
import { AccountClient } from '../../../../tests/support/account-client'
import { setUpTwoStep } from '../../../../tests/support/authenticator'
import { SoftwarePasskey } from '../../../../tests/support/software-passkey'
import { publicUrl, TestAccounts } from '../../../../tests/support/test-accounts'
import type { AccountService } from '../account-service.server'
import { disownAccount } from '../email-address/email-confirmation.server'
import { recordOwnerProof } from '../email-address/owner-proof.server'
import { createOneTimeToken } from '../one-time-tokens.server'
import { createRecoveryLink, revertAccountChanges } from '../security/account-recovery.server'
import { listSecurityEvents } from '../security/security-log.server'
import { createRequestContext } from '../session/request-context.server'
import {
  handleSignInMethodForm,
  readSignInMethods,
} from '../sign-in-methods/sign-in-methods.server'
import { hasPasskey, namePasskey } from './passkey-queries.server'

const accounts = new TestAccounts()
const { createClient, registerPerson } = accounts

async function createLearner() {
  const { person, client } = await registerPerson()
  const uid = (await client.readUser())?.uid ?? ''
  await accounts.db.update(users).set({ emailVerified: true }).where(eq(users.id, uid))

  return { person, client, uid }
}

type DeviceResponse = Parameters<SoftwarePasskey['authenticate']>[1]
type OfferResponse = { code?: string; options?: { challenge: string; userVerification?: string } }

const requestOffer = async (client: AccountClient, address: string): Promise<OfferResponse> =>
  (await client.send('POST', address, {})).body as OfferResponse

async function addPasskey(
  client: AccountClient,
  passkey: SoftwarePasskey,
  deviceResponse: DeviceResponse = {},
) {
  const { code, options } = await requestOffer(client, '/new-passkey')
  if (!options) {
    return code
  }

  return (
    (await client.send('POST', '/passkey', { response: passkey.register(options, deviceResponse) }))
      .body.code ?? 'added'
  )
}

async function signIn(
  client: AccountClient,
  passkey: SoftwarePasskey,
  deviceResponse: DeviceResponse = {},
) {
  const { code, options } = await requestOffer(client, '/passkey-offer')
  if (!options) {
    return code
  }

  const response = passkey.authenticate(options, deviceResponse)

  return (await client.send('POST', '/passkey-sign-in', { response })).body.code ?? 'signed in'
}

async function createLearnerWithPasskey() {
  const learner = await createLearner()
  const passkey = new SoftwarePasskey(publicUrl)

  expect(await addPasskey(learner.client, passkey)).toBe('added')

  return { ...learner, passkey }
}

const getCookieHeader = ({ cookies }: AccountClient) =>
  [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')

/** Returns the names in the order in which the passkeys were added. */
const listNames = async (uid: string) => {
  const rows = await accounts.db
    .select({ name: passkeys.name })
    .from(passkeys)
    .where(eq(passkeys.userId, uid))
    .orderBy(passkeys.createdAt)

  return rows.map(({ name }) => name)
}

describe('the names of two passkeys', () => {
  it('differ by a number if both were added in browsers of the same name', async () => {
    const { client, uid } = await createLearnerWithPasskey()

    expect(await addPasskey(client, new SoftwarePasskey(publicUrl))).toBe('added')
    expect(await addPasskey(client, new SoftwarePasskey(publicUrl))).toBe('added')
    expect(await listNames(uid)).toEqual(['Unknown device', 'Unknown device 2', 'Unknown device 3'])
  })

  it('differ by a number if one is given the name of the other', async () => {
    const { client, uid } = await createLearnerWithPasskey()
    await addPasskey(client, new SoftwarePasskey(publicUrl))
    const [first, second] = await accounts.db
      .select()
      .from(passkeys)
      .where(eq(passkeys.userId, uid))
      .orderBy(passkeys.createdAt)
    const longName = 'x'.repeat(60)
    const rename = (passkeyId = '', name: string) =>
      namePasskey(accounts.db, { uid, passkeyId, name })

    expect(await rename(first?.id, 'My laptop')).toBe('My laptop')
    expect(await rename(first?.id, 'My laptop')).toBe('My laptop')
    expect(await rename(second?.id, 'my Laptop')).toBe('my Laptop 2')
    expect(await rename(first?.id, longName)).toBe(longName)
    expect(await rename(second?.id, longName)).toBe(`${'x'.repeat(58)} 2`)
    expect(await rename('another’s', 'My laptop')).toBeNull()
  })
})

describe('a passkey', () => {
  it('signs in, which is written as such, and was told by mail when it was added', async () => {
    const { person, passkey, uid } = await createLearnerWithPasskey()
    const client = createClient()

    expect(await signIn(client, passkey)).toBe('signed in')
    expect((await client.readUser())?.uid).toBe(uid)

    const [event] = await listSecurityEvents(accounts.db, uid)

    expect(event).toMatchObject({ kind: 'signed-in', signInMethod: 'passkey' })

    await accounts.mailbox.deliver()
    const subjects = accounts.mailbox.deliveredMails
      .filter(({ to }) => to === person.email)
      .map(({ subject }) => subject)

    expect(subjects).toContain('A passkey was added to your Learnify account')
  })

  it('is asked for with the device’s lock, and signs nobody in without it', async () => {
    const { passkey } = await createLearnerWithPasskey()
    const client = createClient()

    expect((await requestOffer(client, '/passkey-offer')).options?.userVerification).toBe(
      'required',
    )
    expect(await signIn(client, passkey, { userVerified: false })).toBe('passkey-failed')
    expect(await client.readUser()).toBeNull()

    const { client: other } = await createLearner()

    expect(await addPasskey(other, new SoftwarePasskey(publicUrl), { userVerified: false })).toBe(
      'passkey-failed',
    )
  })

  it('may count its uses or not: one that is synced counts on each device by itself', async () => {
    const { passkey } = await createLearnerWithPasskey()
    for (const counter of [0, 7, 7, 3, 0, 8]) {
      expect(await signIn(createClient(), passkey, { counter })).toBe('signed in')
    }
  })

  it('answers one offer once, of its own origin only', async () => {
    const { passkey } = await createLearnerWithPasskey()
    const client = createClient()

    expect(await signIn(client, passkey, { origin: 'https://elsewhere.example' })).toBe(
      'passkey-failed',
    )

    const { options } = await requestOffer(client, '/passkey-offer')
    const response = passkey.authenticate(options ?? { challenge: '' })
    const copy = createClient()
    copy.cookies = new Map(client.cookies)

    expect((await client.send('POST', '/passkey-sign-in', { response })).status).toBe(200)
    expect((await copy.send('POST', '/passkey-sign-in', { response })).body.code).toBe(
      'passkey-failed',
    )
    expect((await createClient().send('POST', '/passkey-sign-in', { response })).body.code).toBe(
      'passkey-failed',
    )
  })

  it('that no account has, or of a disabled account, signs nobody in', async () => {
    expect(await signIn(createClient(), new SoftwarePasskey(publicUrl))).toBe('passkey-unknown')

    const { passkey, uid } = await createLearnerWithPasskey()
    await accounts.db.update(users).set({ banned: true }).where(eq(users.id, uid))

    expect(await signIn(createClient(), passkey)).toBe('user-disabled')
  })

  it('is both steps of a sign-in', async () => {
    const { person, passkey, client, uid } = await createLearnerWithPasskey()
    await setUpTwoStep(accounts.service, getCookieHeader(client), { uid, email: person.email })
    const other = createClient()

    expect(
      (await other.send('POST', '/login', { email: person.email, password: person.password }))
        .status,
    ).toBe(401)
    expect(await signIn(other, passkey)).toBe('signed in')
    expect((await other.readUser())?.uid).toBe(uid)
  })

  it.each([
    { response: 'x' },
    { response: {} },
    { response: { id: 'x' } },
    { response: { id: { $gt: '' } } },
    {},
  ])('that is %j is refused', async (body) => {
    const { client } = await createLearner()
    await requestOffer(client, '/passkey-offer')
    const response = await client.send('POST', '/passkey-sign-in', body)

    expect(response.status).toBeGreaterThanOrEqual(400)
    expect(response.status).toBeLessThan(500)

    await requestOffer(client, '/new-passkey')

    expect((await client.send('POST', '/passkey', body)).status).toBeLessThan(500)
    expect(await accounts.db.$count(passkeys, sql`name is null`)).toBe(0)
  })
})

describe('a new passkey', () => {
  it('needs a session that was confirmed lately, and a confirmed address', async () => {
    const { client, uid } = await createLearner()

    expect(await addPasskey(createClient(), new SoftwarePasskey(publicUrl))).toBe('not-signed-in')

    await accounts.db.execute(sql`
      update sessions set confirmed_at = now() - interval '1 hour' where user_id = ${uid}`)

    expect(await addPasskey(client, new SoftwarePasskey(publicUrl))).toBe('confirm-first')

    await accounts.db.execute(sql`update sessions set confirmed_at = now() where user_id = ${uid}`)
    await accounts.db.update(users).set({ emailVerified: false }).where(eq(users.id, uid))

    expect(await addPasskey(client, new SoftwarePasskey(publicUrl))).toBe('confirm-address')
  })

  it('is made for the account that asked for it', async () => {
    const { client } = await createLearner()
    const { client: other, uid } = await createLearner()
    const { options } = await requestOffer(client, '/new-passkey')
    const passkey = new SoftwarePasskey(publicUrl)
    const response = passkey.register(options ?? { challenge: '' })
    const cookie = [...client.cookies].find(([name]) => name.endsWith('passkey'))
    other.cookies.set(...(cookie ?? ['', '']))

    expect((await other.send('POST', '/passkey', { response })).body.code).toBe('passkey-failed')
    expect(await accounts.db.$count(passkeys, eq(passkeys.userId, uid))).toBe(0)
  })

  it('is one of at most twenty', async () => {
    const { client, uid } = await createLearner()
    const passkey = { userId: uid, publicKey: 'k', counter: 0, deviceType: 'x', backedUp: true }
    const rows = Array.from({ length: 20 }, (_, n) => ({
      ...passkey,
      id: `${uid}-${n}`,
      credentialID: `${uid}-${n}`,
    }))

    await accounts.db.insert(passkeys).values(rows.map((row) => ({ ...row, name: 'Full' })))

    expect(await addPasskey(client, new SoftwarePasskey(publicUrl))).toBe('too-many-passkeys')
  })
})

describe('a passkey that may be a stranger’s', () => {
  it('goes when the owner proves the address, with the password from before', async () => {
    const { passkey, uid } = await createLearnerWithPasskey()
    await accounts.db.transaction((tx) => recordOwnerProof(tx, uid))

    expect(await signIn(createClient(), passkey)).toBe('passkey-unknown')
  })

  it('goes when the owner of the address says that the account isn’t theirs', async () => {
    const { passkey, uid } = await createLearnerWithPasskey()

    expect(
      await disownAccount(
        accounts.db,
        await createOneTimeToken(accounts.db, 'verify-email', uid),
        '',
      ),
    ).toBe(true)

    expect(await signIn(createClient(), passkey)).toBe('passkey-unknown')
  })
})

it('‘This wasn’t me’ takes away what came since, passkeys and second step included, and leaves what was there', async () => {
  const { client, uid, person, passkey: earlierPasskey } = await createLearnerWithPasskey()
  const longAgo = new Date(Date.now() - 86_400_000)
  await accounts.db.update(passkeys).set({ createdAt: longAgo }).where(eq(passkeys.userId, uid))
  const key = await createRecoveryLink(accounts.db, {
    uid,
    since: new Date(Date.now() - 3600_000),
    email: person.email,
  })
  const laterPasskey = new SoftwarePasskey(publicUrl)
  await addPasskey(client, laterPasskey)
  await setUpTwoStep(accounts.service, getCookieHeader(client), { uid, email: person.email })
  const requestContext = createRequestContext(new Request(publicUrl))

  expect(await revertAccountChanges(accounts.service, requestContext, key)).toBe('secured')
  expect(await signIn(createClient(), laterPasskey)).toBe('passkey-unknown')
  expect(await signIn(createClient(), earlierPasskey)).toBe('signed in')
  expect(await accounts.db.$count(twoFactor, eq(twoFactor.uid, uid))).toBe(0)
})

it('offers leave nothing behind but rows that expire', async () => {
  const client = createClient()
  await requestOffer(client, '/passkey-offer')
  const rows = await accounts.db
    .select()
    .from(verifications)
    .where(sql`value like '%"authentication"%'`)

  expect(rows.every(({ expiresAt }) => expiresAt.getTime() < Date.now() + 6 * 60_000)).toBe(true)
})

describe('after the product moved to another host name', () => {
  const movedUrl = 'https://moved.example'

  it('one whose only way was a passkey comes in by a reset, is told why, and adds a new one', async () => {
    const { person, uid, passkey } = await createLearnerWithPasskey()
    await accounts.db.delete(identities).where(eq(identities.userId, uid))
    const movedService = accounts.openService(movedUrl)
    const createMovedClient = () => new AccountClient(movedService, movedUrl)

    expect(await signIn(createMovedClient(), passkey)).toBe('passkey-failed')

    const client = createMovedClient()
    const { email } = person
    const password = 'Analytical-1843'

    expect((await client.send('POST', '/forgot-password', { email })).status).toBe(200)

    const token = await accounts.mailbox.readTokenSentTo(email)

    expect((await client.send('POST', '/new-password', { token, password })).status).toBe(200)
    expect((await client.send('POST', '/login', { email, password })).status).toBe(200)

    const listPasskeysAt = async (service: AccountService) =>
      (await readSignInMethods(service, { uid, email })).passkeys

    expect(await listPasskeysAt(movedService)).toMatchObject([{ previousHost: 'localhost' }])
    expect(await hasPasskey(movedService, uid)).toBe(false)

    const removal = new FormData()
    for (const [name, value] of Object.entries({ intent: 'remove', way: 'credential' })) {
      removal.set(name, value)
    }

    const request = new Request(movedUrl, {
      method: 'POST',
      headers: { cookie: getCookieHeader(client) },
    })

    expect(await handleSignInMethodForm(movedService, request, removal)).toMatchObject({
      data: { done: false },
    })

    const newPasskey = new SoftwarePasskey(movedUrl)

    expect(await addPasskey(client, newPasskey)).toBe('added')
    expect((await listPasskeysAt(movedService)).map(({ previousHost }) => previousHost)).toEqual([
      null,
      'localhost',
    ])
    expect(await signIn(createMovedClient(), newPasskey)).toBe('signed in')
  })

  it('the second step is the code as before, or a recovery code', async () => {
    const { person, client, uid } = await createLearnerWithPasskey()
    const { email, password } = person
    const { app, recoveryCodes: codes } = await setUpTwoStep(
      accounts.service,
      getCookieHeader(client),
      {
        uid,
        email,
      },
    )
    accounts.now += 30_000
    const movedService = accounts.openService(movedUrl)
    for (const code of [await app.createCode(accounts.now), codes[0] ?? '']) {
      const browserThere = new AccountClient(movedService, movedUrl)

      expect((await browserThere.send('POST', '/login', { email, password })).body.code).toBe(
        'second-step',
      )
      expect((await browserThere.send('POST', '/second-step', { code })).status).toBe(200)
      expect((await browserThere.readUser())?.uid).toBe(uid)
    }
  })
})

import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '~/server/database/client.server'
import { identities, sessions, users, verifications } from '~/server/database/schema/index'
import { AccountClient } from '../../../../tests/support/account-client'
import { Mailbox } from '../../../../tests/support/mailbox'
import {
  signInSocially,
  startSampleIdentityProvider,
} from '../../../../tests/support/sample-identity-provider'
import { createTestDatabase } from '../../../../tests/support/test-database'
import { disableAccountByEmail, findUserByEmail } from '../account-queries.server'
import { createAccountService } from '../account-service.server'
import {
  confirmEmail,
  disownAccount,
  findAccountToConfirm,
} from '../email-address/email-confirmation.server'
import { recordEmailVerified } from '../email-address/owner-proof.server'
import { listSecurityEvents } from '../security/security-log.server'
import { completeSession } from '../session/new-session.server'

let db: Database
let provider: Awaited<ReturnType<typeof startSampleIdentityProvider>>
let service: ReturnType<typeof createAccountService>
let mailbox: Mailbox

beforeAll(async () => {
  db = (await createTestDatabase()).db
  provider = await startSampleIdentityProvider()
  const { publicUrl, providers } = provider
  const secret = 'a secret that is only used by tests, 0123456789'
  service = createAccountService({ db, publicUrl, isLoopback: true, secret, providers })
  mailbox = new Mailbox(db, publicUrl)
})
afterAll(() => provider.stop())

let people = 0
function createPerson(verified = true) {
  people += 1
  return { name: 'Maya Ngozi Okonkwo', email: `maya-${people}@test.example`, verified }
}

const createClient = () => new AccountClient(service, provider.publicUrl)
const createRegistration = (email: string) => ({
  email,
  password: 'secret12',
  firstName: 'Eve',
  lastName: 'Early',
})

async function getUid(email: string): Promise<string> {
  return (await findUserByEmail(db, email))?.id ?? 'nobody'
}

it('a first sign-in makes the profile, later ones change nothing but lastLoginAt', async () => {
  const person = createPerson()
  const first = createClient()

  expect(await signInSocially(first, 'google', person)).toBe('/Profile')

  const userBefore = await first.readUser()

  expect(userBefore).toMatchObject({
    email: person.email,
    displayName: 'Maya Ngozi Okonkwo',
    firstName: 'Maya',
    lastName: 'Ngozi Okonkwo',
    provider: 'google',
    photoURL: null,
  })

  const second = createClient()
  await signInSocially(second, 'google', { ...person, name: 'Another Name' })
  const userAfter = await second.readUser()

  expect(userAfter).toEqual({ ...userBefore, lastLoginAt: userAfter?.lastLoginAt })
  expect(Date.parse(String(userAfter?.lastLoginAt))).toBeGreaterThan(
    Date.parse(String(userBefore?.lastLoginAt)),
  )
})

it('a sign-in as somebody else ends the session that the browser had, by each way to sign in', async () => {
  const shared = createClient()
  const thief = createClient()
  const newPeople = [createPerson(), createPerson()] as const
  await shared.send('POST', '/register', createRegistration(createPerson().email))
  for (const [index, provider] of (['google', 'facebook'] as const).entries()) {
    thief.cookies = new Map(shared.cookies)

    expect(await thief.readUser()).not.toBeNull()

    const person = newPeople[index] ?? createPerson()
    await signInSocially(shared, provider, person)

    expect((await shared.readUser())?.email).toBe(person.email)
    expect(await thief.readUser()).toBeNull()
    expect(await db.$count(sessions, eq(sessions.userId, await getUid(person.email)))).toBe(1)
  }
})

it('a sign-in by a provider is told by email from a browser that the account doesn’t know, and a way that is added, too', async () => {
  const person = createPerson()
  const client = createClient()
  await signInSocially(client, 'google', person)
  await db
    .update(users)
    .set({ createdAt: new Date(Date.now() - 86_400_000) })
    .where(eq(users.email, person.email))
  const listSubjects = async () => {
    await mailbox.deliver()
    return mailbox.deliveredMails
      .filter(({ to }) => to === person.email)
      .map(({ subject }) => subject)
  }
  await signInSocially(client, 'google', person)

  expect(await listSubjects()).toEqual([])

  await signInSocially(createClient(), 'google', person)

  expect(await listSubjects()).toEqual(['New sign-in to your Learnify account'])

  await signInSocially(client, 'facebook', person)

  expect((await listSubjects()).slice(1)).toEqual([
    'Sign-in with Facebook was added to your Learnify account',
  ])
})

it('a visitor who opens the address of a social sign-in leaves no row', async () => {
  const before = await db.$count(verifications)
  for (let count = 0; count < 3; count += 1) {
    await createClient().fetch('/account/social/google')
  }

  expect(await db.$count(verifications)).toBe(before)
})

/** Sets a password by a mailed link, as only the reader of the mail can. */
async function setPasswordByMail(email: string, password: string) {
  await createClient().send('POST', '/forgot-password', { email })
  const response = await createClient().send('POST', '/new-password', {
    token: await mailbox.readTokenSentTo(email),
    password,
  })

  expect(response.status).toBe(200)
}

it('one person by Google, Facebook and a password set by a mailed link is one account', async () => {
  const person = createPerson()
  await createClient().send('POST', '/register', createRegistration(person.email))
  await setPasswordByMail(person.email, 'owners-own')
  const clients = [createClient(), createClient()] as const
  await signInSocially(clients[0], 'google', person)
  await signInSocially(clients[1], 'facebook', person)
  const uid = await getUid(person.email)
  for (const client of clients) {
    expect((await client.readUser())?.uid).toBe(uid)
  }

  const signIn = await createClient().send('POST', '/login', {
    email: person.email,
    password: 'owners-own',
  })

  expect(signIn.status).toBe(200)
})

it('the security log names the provider, and a password that was removed', async () => {
  const person = createPerson()
  await createClient().send('POST', '/register', createRegistration(person.email))
  await signInSocially(createClient(), 'google', person)
  const events = await listSecurityEvents(db, await getUid(person.email))

  expect(events.map(({ kind, signInMethod }) => `${kind} ${signInMethod}`).toSorted()).toEqual([
    'password-removed null',
    'sign-in-method-added google',
    'signed-in google',
    'signed-in password',
  ])
})

it('ends if the account is disabled or loses the provider meanwhile', async () => {
  const person = createPerson()
  await signInSocially(createClient(), 'google', person)
  const uid = await getUid(person.email)
  const [session] = await db.select().from(sessions).where(eq(sessions.userId, uid))
  const signIn = {
    uid,
    userAgent: '',
    token: session?.token ?? '',
    previousToken: null,
    isNewDevice: false,
  }
  const complete = (signInMethod: string) =>
    completeSession(db, service.sessionRules, { ...signIn, signInMethod })
  await complete('google')

  expect(await db.$count(sessions, eq(sessions.userId, uid))).toBe(1)
  await expect(complete('facebook')).rejects.toThrow('lost this sign-in method')
  expect(await db.$count(sessions, eq(sessions.userId, uid))).toBe(0)

  await db.update(users).set({ banned: true }).where(eq(users.id, uid))

  await expect(complete('google')).rejects.toThrow('disabled')
})

describe('whoever registered an address that is not theirs has nothing left once its owner comes', () => {
  /** Steps that the owner, or a program that reads their mail, may have taken before. */
  const before: [string, (email: string) => Promise<unknown>][] = [
    ['by Google', async () => {}],
    [
      'after the address was confirmed',
      async (email) => confirmEmail(db, await mailbox.readTokenSentTo(email)),
    ],
    [
      'after the account was used for long',
      async (email) => recordEmailVerified(db, await getUid(email)),
    ],
    [
      'after reset mails were asked for',
      async (email) => createClient().send('POST', '/forgot-password', { email }),
    ],
  ]

  it.each(before)('%s', async (_how, happens) => {
    const owner = createPerson()
    const attacker = createClient()
    await attacker.send('POST', '/register', createRegistration(owner.email))
    const uid = await getUid(owner.email)
    await attacker.send('PATCH', `/users/${uid}`, { firstName: 'Mallory' })
    await happens(owner.email)
    const token = await mailbox.readTokenSentTo(owner.email)

    const client = createClient()

    expect(await signInSocially(client, 'google', owner)).toBe('/Profile')
    expect((await client.readUser())?.uid).toBe(uid)
    expect(await attacker.readUser()).toBeNull()

    const again = await attacker.send('POST', '/login', {
      email: owner.email,
      password: 'secret12',
    })

    expect(again.body.code).toBe('wrong-password')
    expect(await findAccountToConfirm(db, token)).toBeNull()

    await mailbox.readTokenSentTo(owner.email)

    expect(mailbox.deliveredMails.at(-1)).toMatchObject({
      to: owner.email,
      subject: 'Your Learnify password was removed',
    })

    const reset = await attacker.send('POST', '/new-password', { token, password: 'attackers' })

    expect(reset.body.code).toBe('link-expired')

    // The owner can have a password, too.
    await setPasswordByMail(owner.email, 'owners-own')

    expect(
      (await createClient().send('POST', '/login', { email: owner.email, password: 'owners-own' }))
        .status,
    ).toBe(200)
    expect(await signInSocially(createClient(), 'google', owner)).toBe('/Profile')
  })

  it('by the link of the mail that says it was not them', async () => {
    const { email } = createPerson()
    const attacker = createClient()
    await attacker.send('POST', '/register', createRegistration(email))

    expect(await disownAccount(db, await mailbox.readTokenSentTo(email), '')).toBe(true)
    expect(await attacker.readUser()).toBeNull()
    expect((await attacker.send('POST', '/login', { email, password: 'secret12' })).body.code).toBe(
      'wrong-password',
    )
  })

  it('also when both sign in at the same moment', async () => {
    const owner = createPerson()
    await createClient().send('POST', '/register', createRegistration(owner.email))
    const attackers = Array.from({ length: 4 }, createClient)
    const login = { email: owner.email, password: 'secret12' }
    await Promise.all([
      signInSocially(createClient(), 'google', owner),
      ...attackers.map((attacker) => attacker.send('POST', '/login', login)),
    ])
    for (const attacker of attackers) {
      expect(await attacker.readUser()).toBeNull()
    }
  })
})

it('an identity of an unproven address does not become the owner’s by the owner’s own', async () => {
  const attackers = createPerson(false)
  const attacker = createClient()
  await signInSocially(attacker, 'google', attackers)
  await recordEmailVerified(db, await getUid(attackers.email))
  const owner = createClient()
  await signInSocially(owner, 'facebook', { ...attackers, verified: true })

  expect(await owner.readUser()).not.toBeNull()
  expect(await attacker.readUser()).toBeNull()
  expect(await signInSocially(attacker, 'google', attackers)).toBe(
    '/Login?error=email-already-in-use',
  )
})

it('an address that a provider has proven is known with the moment of that proof', async () => {
  const person = createPerson()
  await signInSocially(createClient(), 'google', person)
  const user = await findUserByEmail(db, person.email)

  expect(user).toMatchObject({ emailVerified: true, emailVerifiedAt: expect.any(Date) })
})

it('a reset by the owner also ends an unproven social identity', async () => {
  const attackers = createPerson(false)
  const attacker = createClient()
  await signInSocially(attacker, 'google', attackers)

  expect(await attacker.readUser()).not.toBeNull()

  await createClient().send('POST', '/forgot-password', { email: attackers.email })
  const token = await mailbox.readTokenSentTo(attackers.email)
  await createClient().send('POST', '/new-password', { token, password: 'owners-own' })

  expect(await attacker.readUser()).toBeNull()
  expect(await signInSocially(createClient(), 'google', attackers)).toBe(
    '/Login?error=email-already-in-use',
  )
})

it.each(['google', 'facebook'] as const)(
  'an unverified address by %s never reaches an account',
  async (id) => {
    const person = createPerson(false)
    await createClient().send('POST', '/register', createRegistration(person.email))
    await recordEmailVerified(db, await getUid(person.email))
    const client = createClient()

    expect(await signInSocially(client, id, person)).toBe('/Login?error=email-already-in-use')
    expect(await client.readUser()).toBeNull()
  },
)

it('a social account’s address cannot be registered again', async () => {
  const person = createPerson()
  await signInSocially(createClient(), 'facebook', person)

  expect(
    (await createClient().send('POST', '/register', createRegistration(person.email))).body.code,
  ).toBe('email-already-in-use')
})

it('who confirms that it’s them with another account stays who they are, and no account is made', async () => {
  const [person, other, stranger] = [createPerson(), createPerson(), createPerson()]
  await signInSocially(createClient(), 'google', other)
  const client = createClient()
  await signInSocially(client, 'google', person)
  const uid = await getUid(person.email)
  const confirm = async (as: typeof person) => {
    const start = await client.fetch('/account/social/google?confirm=yes&from=%2FProfile%2Fsign-in')
    return signInSocially(client, 'google', as, start.headers.get('location') ?? '')
  }
  for (const one of [other, stranger]) {
    expect(await confirm(one)).toBe('/Login?error=other-account')
  }

  expect((await client.readUser())?.uid).toBe(uid)
  expect(await findUserByEmail(db, stranger.email)).toBeNull()
  expect(await confirm(person)).toBe('/Profile/sign-in')
  expect((await client.readUser())?.uid).toBe(uid)
})

it('a disabled account is refused by every way', async () => {
  const person = createPerson()
  await signInSocially(createClient(), 'google', person)
  await disableAccountByEmail(db, person.email)
  const client = createClient()

  expect(await signInSocially(client, 'google', person)).toBe('/Login?error=user-disabled')
  expect(await signInSocially(client, 'facebook', person)).toBe('/Login?error=user-disabled')
  expect(await client.readUser()).toBeNull()
})

it('cancelling, and a provider that shares no address, have their codes', async () => {
  expect(await signInSocially(createClient(), 'google', 'cancel')).toBe(
    '/Login?error=cancelled-popup-request',
  )
  expect(await signInSocially(createClient(), 'facebook', { ...createPerson(), email: '' })).toBe(
    '/Login?error=provider-email-missing',
  )
})

it('a callback without this browser’s state signs nobody in', async () => {
  const victim = createClient()
  const end = await victim.fetch('/account/callback/google?code=stolen&state=made-up')

  expect(end.headers.get('location')).toContain('/account/social-end?error=')
  expect(await victim.readUser()).toBeNull()
})

it('nothing of the provider’s that could be used again is kept', async () => {
  await signInSocially(createClient(), 'google', createPerson())
  const rows = await db.select().from(identities)

  expect(
    rows.filter(({ accessToken, refreshToken, idToken }) => accessToken || refreshToken || idToken),
  ).toEqual([])
})

it('every start uses PKCE and a state of its own, and Google always asks which account', async () => {
  const starts = await Promise.all([1, 2].map(() => createClient().fetch('/account/social/google')))
  const providerUrls = starts.map((start) => new URL(start.headers.get('location') ?? ''))
  for (const { searchParams } of providerUrls) {
    expect(searchParams.get('code_challenge_method')).toBe('S256')
    expect(searchParams.get('prompt')).toBe('select_account')
  }

  expect(providerUrls[0]?.searchParams.get('state')).not.toBe(
    providerUrls[1]?.searchParams.get('state'),
  )
})

it('a flow that ends at another provider than it started with signs nobody in and adds no identity', async () => {
  const person = createPerson()
  const client = createClient()
  const getLocation = async (of: AccountClient, provider: string) =>
    new URL((await of.fetch(`/account/social/${provider}`)).headers.get('location') ?? '')
  const google = await getLocation(client, 'google')
  const facebook = await getLocation(createClient(), 'facebook')

  // Google, as the malicious provider, leads the browser to Facebook with the state of its own
  // flow.
  for (const name of ['state', 'code_challenge', 'code_challenge_method', 'nonce']) {
    const value = google.searchParams.get(name)
    if (value !== null) {
      facebook.searchParams.set(name, value)
    }
  }

  const end = await signInSocially(client, 'facebook', person, facebook.href)

  expect(end).toBe('/Login?error=internal-error')
  expect(await client.readUser()).toBeNull()
  expect(await db.$count(users, eq(users.email, person.email))).toBe(0)
})

import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { AccountClient } from '../../../tests/support/account-client'
import { signInSocially, startSampleProvider } from '../../../tests/support/sample-provider'
import { testDatabase } from '../../../tests/support/test-database'
import { createAccountService } from '../auth.server'
import type { Database } from '../database/client.server'
import { identities } from '../database/schema'
import type { Mail } from '../mail.server'
import { findUserByEmail, recordEmailVerified, setDisabled } from './account-queries.server'

// Argon2id and a whole code flow take their time on a busy machine.
vi.setConfig({ testTimeout: 30_000 })

let db: Database
let provider: Awaited<ReturnType<typeof startSampleProvider>>
let service: ReturnType<typeof createAccountService>
const mails: Mail[] = []

beforeAll(async () => {
  db = (await testDatabase()).db
  provider = await startSampleProvider()
  const { publicUrl, providers } = provider
  const sendMail = async (mail: Mail) => {
    mails.push(mail)
  }
  const secret = 'a secret that is only used by tests, 0123456789'
  service = createAccountService({ db, publicUrl, loopback: true, secret, providers, sendMail })
})
afterAll(() => provider.stop())

let people = 0
function newPerson(verified = true) {
  people += 1
  return { name: 'Maya Ngozi Okonkwo', email: `maya-${people}@test.example`, verified }
}
const browser = () => new AccountClient(service, provider.publicUrl)
const registration = (email: string) => ({ email, password: 'secret12', firstName: 'Eve', lastName: 'Early' })

/** Of the newest mail to an address. */
function mailedToken(email: string): string | undefined {
  return /token=([\w-]+)/.exec(mails.findLast(({ to }) => to === email)?.text ?? '')?.[1]
}

async function uidOf(email: string): Promise<string> {
  return (await findUserByEmail(db, email))?.id ?? 'nobody'
}

it('a first sign-in makes the profile, later ones change nothing but lastLoginAt', async () => {
  const person = newPerson()
  const first = browser()
  expect(await signInSocially(first, 'google', person)).toBe('/Profile')
  const made = await first.user()
  expect(made).toMatchObject({
    email: person.email,
    displayName: 'Maya Ngozi Okonkwo',
    firstName: 'Maya',
    lastName: 'Ngozi Okonkwo',
    provider: 'google',
    photoURL: null,
  })
  const second = browser()
  await signInSocially(second, 'google', { ...person, name: 'Another Name' })
  const found = await second.user()
  expect(found).toEqual({ ...made, lastLoginAt: found?.lastLoginAt })
  expect(Date.parse(String(found?.lastLoginAt))).toBeGreaterThan(Date.parse(String(made?.lastLoginAt)))
})

it('one person by Google, Facebook and a password is one account', async () => {
  const person = newPerson()
  const byMail = browser()
  await byMail.send('POST', '/register', registration(person.email))
  await recordEmailVerified(db, await uidOf(person.email))
  const clients = [browser(), browser()] as const
  await signInSocially(clients[0], 'google', person)
  await signInSocially(clients[1], 'facebook', person)
  const uid = await uidOf(person.email)
  for (const client of [byMail, ...clients]) expect((await client.user())?.uid).toBe(uid)
  const signIn = await browser().send('POST', '/login', { email: person.email, password: 'secret12' })
  expect(signIn.status).toBe(200)
})

it('whoever registered an address that is not theirs has nothing left once its owner comes', async () => {
  const owner = newPerson()
  const attacker = browser()
  await attacker.send('POST', '/register', registration(owner.email))
  const uid = await uidOf(owner.email)

  const client = browser()
  expect(await signInSocially(client, 'google', owner)).toBe('/Profile')
  expect((await client.user())?.uid).toBe(uid)
  expect(await attacker.user()).toBeNull()
  const again = await attacker.send('POST', '/login', { email: owner.email, password: 'secret12' })
  expect(again.body.code).toBe('wrong-password')

  // The owner can have a password, too.
  await client.send('POST', '/forgot-password', { email: owner.email })
  const token = mailedToken(owner.email)
  expect((await client.send('POST', '/new-password', { token, password: 'owners-own' })).status).toBe(200)
  expect((await browser().send('POST', '/login', { email: owner.email, password: 'owners-own' })).status).toBe(200)
  expect(await signInSocially(browser(), 'google', owner)).toBe('/Profile')
})

it('a reset by the owner also ends an unproven social identity', async () => {
  const attackers = newPerson(false)
  const attacker = browser()
  await signInSocially(attacker, 'google', attackers)
  expect(await attacker.user()).not.toBeNull()
  await browser().send('POST', '/forgot-password', { email: attackers.email })
  const token = mailedToken(attackers.email)
  await browser().send('POST', '/new-password', { token, password: 'owners-own' })
  expect(await attacker.user()).toBeNull()
  expect(await signInSocially(browser(), 'google', attackers)).toBe('/Login?error=email-already-in-use')
})

it.each(['google', 'facebook'] as const)('an unverified address by %s never reaches an account', async (id) => {
  const person = newPerson(false)
  await browser().send('POST', '/register', registration(person.email))
  await recordEmailVerified(db, await uidOf(person.email))
  const client = browser()
  expect(await signInSocially(client, id, person)).toBe('/Login?error=email-already-in-use')
  expect(await client.user()).toBeNull()
})

it('a social account’s address cannot be registered again', async () => {
  const person = newPerson()
  await signInSocially(browser(), 'facebook', person)
  expect((await browser().send('POST', '/register', registration(person.email))).body.code).toBe('email-already-in-use')
})

it('a disabled account is refused by every way', async () => {
  const person = newPerson()
  await signInSocially(browser(), 'google', person)
  await setDisabled(db, person.email, true)
  const client = browser()
  expect(await signInSocially(client, 'google', person)).toBe('/Login?error=user-disabled')
  expect(await signInSocially(client, 'facebook', person)).toBe('/Login?error=user-disabled')
  expect(await client.user()).toBeNull()
})

it('cancelling, and a provider that shares no address, have their codes', async () => {
  expect(await signInSocially(browser(), 'google', 'cancel')).toBe('/Login?error=cancelled-popup-request')
  expect(await signInSocially(browser(), 'facebook', { ...newPerson(), email: '' })).toBe(
    '/Login?error=provider-email-missing',
  )
})

it('a callback without this browser’s state signs nobody in', async () => {
  const victim = browser()
  const end = await victim.fetch('/account/callback/google?code=stolen&state=made-up')
  expect(end.headers.get('location')).toContain('/account/social-end?error=')
  expect(await victim.user()).toBeNull()
})

it('nothing of the provider’s that could be used again is kept', async () => {
  await signInSocially(browser(), 'google', newPerson())
  const rows = await db.select().from(identities)
  expect(rows.filter(({ accessToken, refreshToken, idToken }) => accessToken || refreshToken || idToken)).toEqual([])
})

it('every start uses PKCE and a state of its own, and Google always asks which account', async () => {
  const starts = await Promise.all([1, 2].map(() => browser().fetch('/account/social/google')))
  const addresses = starts.map((start) => new URL(start.headers.get('location') ?? ''))
  for (const { searchParams } of addresses) {
    expect(searchParams.get('code_challenge_method')).toBe('S256')
    expect(searchParams.get('prompt')).toBe('select_account')
  }
  expect(addresses[0]?.searchParams.get('state')).not.toBe(addresses[1]?.searchParams.get('state'))
})

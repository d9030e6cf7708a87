import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { sessions } from '~/server/database/schema/index'
import { TestAccounts } from '../../../../tests/support/test-accounts'

const accounts = new TestAccounts()
const { browser, registered, resetToken } = accounts

describe('sessions', () => {
  it('end with logout, in this browser only', async () => {
    const { person, client } = await registered()
    const other = browser()
    await other.send('POST', '/login', { email: person.email, password: person.password })
    expect(await client.send('POST', '/logout', {})).toEqual({ status: 200, body: { success: true } })
    expect(await client.user()).toBeNull()
    expect(await other.user()).not.toBeNull()
  })

  it('of a cookie that was copied before the logout are over, too', async () => {
    const { client } = await registered()
    const thief = browser()
    thief.cookies = new Map(client.cookies)
    await client.send('POST', '/logout', {})
    expect(await thief.user()).toBeNull()
  })

  it('need a cookie that this product signed', async () => {
    const { client } = await registered()
    const [name, value] = [...client.cookies].find(([key]) => key.endsWith('session_token')) ?? ['', '']
    const forger = browser()
    forger.cookies.set(name, `${value.slice(0, -6)}AAAAA%3D`)
    expect(await forger.user()).toBeNull()
  })

  it('expire', async () => {
    const { client } = await registered()
    const uid = (await client.user())?.uid ?? ''
    await accounts.db
      .update(sessions)
      .set({ expiresAt: new Date(Date.now() - 1000) })
      .where(eq(sessions.userId, uid))
    expect(await client.user()).toBeNull()
  })

  it('are replaced, not added to, by another sign-in of the same browser', async () => {
    const { person, client } = await registered()
    const uid = (await client.user())?.uid ?? ''
    await client.send('POST', '/login', { email: person.email, password: person.password })
    expect(await accounts.db.$count(sessions, eq(sessions.userId, uid))).toBe(1)
  })

  it('keep no address of the learner', async () => {
    await registered()
    const rows = await accounts.db.select({ ip: sessions.ipAddress }).from(sessions)
    expect(rows.filter(({ ip }) => ip)).toEqual([])
  })
})

describe('a password reset', () => {
  it('works once, ends every session, and lets the new password in', async () => {
    const { person, client } = await registered()
    const token = await resetToken(person.email)
    expect((await browser().send('POST', '/new-password', { token, password: 'different9' })).status).toBe(200)
    expect(await client.user()).toBeNull()
    const signIn = (password: string) => browser().send('POST', '/login', { email: person.email, password })
    expect((await signIn(person.password)).body.code).toBe('wrong-password')
    expect((await signIn('different9')).status).toBe(200)
    expect((await browser().send('POST', '/new-password', { token, password: 'third-one' })).body.code).toBe(
      'link-expired',
    )
  })

  it('is done by exactly one of two requests at once', async () => {
    const { person } = await registered()
    const token = await resetToken(person.email)
    const answers = await Promise.all(
      ['first-one', 'second-one'].map((password) => browser().send('POST', '/new-password', { token, password })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 410])
  })

  it('makes the older links of the account useless', async () => {
    const { person } = await registered()
    const older = await resetToken(person.email)
    const newer = await resetToken(person.email)
    await browser().send('POST', '/new-password', { token: newer, password: 'different9' })
    expect((await browser().send('POST', '/new-password', { token: older, password: 'third-one' })).status).toBe(410)
  })

  it('refuses a weak password without using up the link', async () => {
    const { person } = await registered()
    const token = await resetToken(person.email)
    expect((await browser().send('POST', '/new-password', { token, password: '12345' })).body.code).toBe(
      'weak-password',
    )
    expect((await browser().send('POST', '/new-password', { token, password: 'different9' })).status).toBe(200)
  })

  it('is refused for unknown addresses, and after five mails an hour to one', async () => {
    const { person } = await registered()
    const ask = (email: string) => browser().send('POST', '/forgot-password', { email })
    expect((await ask('nobody@test.example')).body.code).toBe('user-not-found')
    for (const _ of [1, 2, 3, 4, 5]) expect((await ask(person.email)).status).toBe(200)
    expect((await ask(person.email)).status).toBe(429)
  })
})

import { and, eq } from 'drizzle-orm'
import { expect, it, vi } from 'vitest'
import { identities, sessions, users } from '~/server/database/schema/index'
import { TestAccounts } from '../../../../tests/support/test-accounts'
import { setDisabled } from '../account-queries.server'

const accounts = new TestAccounts()
const { browser, registered } = accounts

it('a session that is not to be remembered ends with the browser, and after a day', async () => {
  const { person } = await registered()
  const { email, password } = person
  const cookiesOf = async (rememberMe: boolean) => {
    const body = JSON.stringify({ email, password, rememberMe })
    const headers = { 'Content-Type': 'application/json' }
    const client = browser()
    const answer = await client.fetch('/account/login', { method: 'POST', headers, body })
    const uid = (await client.user())?.uid ?? ''
    const rows = await accounts.db.select().from(sessions).where(eq(sessions.userId, uid))
    const days = rows.map(({ createdAt, expiresAt }) =>
      Math.round((expiresAt.getTime() - createdAt.getTime()) / 86_400_000),
    )
    const cookies = answer.headers.getSetCookie()
    return { days, ages: cookies.filter((line) => /session_token|signed-in/.test(line)).map(ageOf) }
  }
  expect(await cookiesOf(false)).toEqual({ days: [30, 1], ages: [undefined, undefined] })
  expect(await cookiesOf(true)).toEqual({ days: [30, 1, 30], ages: ['2592000', '2592000'] })
})

const ageOf = (cookie: string) => /Max-Age=(\d+)/.exec(cookie)?.[1]

it('a password that is taken away while it is checked signs nobody in', async () => {
  const { person } = await registered()
  const { email, password } = person
  const [user] = await accounts.db.select().from(users).where(eq(users.email, email))
  const uid = user?.id ?? ''
  const client = browser()
  let answer: ReturnType<typeof client.send> | undefined
  await accounts.db.transaction(async (tx) => {
    await tx.select().from(users).where(eq(users.id, uid)).for('update')
    answer = client.send('POST', '/login', { email, password })
    await vi.waitUntil(async () => (await waitingForLocks()) > 0, { timeout: 60_000 })
    await tx.delete(identities).where(and(eq(identities.userId, uid), eq(identities.providerId, 'credential')))
    await tx.delete(sessions).where(eq(sessions.userId, uid))
  })
  expect((await answer)?.body.code).toBe('wrong-password')
  expect(await accounts.db.$count(sessions, eq(sessions.userId, uid))).toBe(0)
})

it('an account that is disabled while its password is checked is signed in by nobody', async () => {
  const { person } = await registered()
  const { email, password } = person
  const client = browser()
  let answer: ReturnType<typeof client.send> | undefined
  await accounts.db.transaction(async (tx) => {
    await setDisabled(tx, email, true)
    answer = client.send('POST', '/login', { email, password })
    await vi.waitUntil(async () => (await waitingForLocks()) > 0, { timeout: 60_000 })
  })
  expect((await answer)?.body.code).toBe('wrong-password')
  await setDisabled(accounts.db, email, false)
  expect(await client.user()).toBeNull()
})

/** How many queries of this test's database wait for a lock. */
async function waitingForLocks(): Promise<number> {
  const { rows } = await accounts.db.execute(
    `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
  )
  return rows.length
}

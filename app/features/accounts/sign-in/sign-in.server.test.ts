import { sql } from 'drizzle-orm'
import { beforeAll, expect, it, vi } from 'vitest'
import type { Database } from '~/server/database/client.server'
import { log } from '~/server/operations/log.server'
import { createTestDatabase } from '../../../../tests/support/test-database'
import { handleAccountRequest } from '../account-operations.server'
import { type AccountService, createAccountService } from '../account-service.server'
import { demoCredentials, syncDemoAccount } from '../demo-account.server'

const publicUrl = 'http://localhost:3000'
let db: Database
let service: AccountService

beforeAll(async () => {
  db = (await createTestDatabase()).db
  service = createAccountService({
    db,
    publicUrl,
    isLoopback: true,
    secret: 'a secret that is only used by tests, 0123456789',
    providers: [],
  })
})

async function send(operation: string, body: object) {
  const headers = { 'Content-Type': 'application/json', Origin: publicUrl }
  const request = new Request(`${publicUrl}/account/${operation}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  })
  const response = await handleAccountRequest(service, request)

  return { body: await response.json(), cookies: response.headers.getSetCookie().join() }
}

it('to the demo account cannot be locked out by wrong passwords of others', async () => {
  await syncDemoAccount(db, true)
  const wrong = { email: demoCredentials.email, password: 'not-the-one' }
  for (const _ of [1, 2, 3, 4, 5]) {
    expect((await send('login', wrong)).body.code).toBe('wrong-password')
  }

  expect((await send('login', wrong)).body.code).toBe('too-many-requests')
  expect((await send('login', demoCredentials)).body).toEqual({ success: true })
})

it('a login succeeds although its moment cannot be written, which is only logged', async () => {
  const person = { email: 'ada@test.example', password: 'secret-12' }

  expect(
    (await send('register', { ...person, firstName: 'Ada', lastName: 'Lovelace' })).body.success,
  ).toBe(true)

  await db.execute(
    sql`create function refuse() returns trigger language plpgsql as 'begin raise exception ''no''; end'`,
  )
  await db.execute(
    sql`create trigger refuse before update on users for each row execute function refuse()`,
  )
  const logged = vi.spyOn(log, 'error')

  const { body, cookies } = await send('login', person)

  expect(body).toEqual({ success: true })
  expect(cookies).toContain('session_token')
  expect(logged).toHaveBeenCalledWith(expect.anything(), 'the time of a sign-in was not written')
})

import { sql } from 'drizzle-orm'
import { expect, it, vi } from 'vitest'
import { testDatabase } from '../../../tests/support/test-database'
import { createAccountService } from '../auth.server'
import { log } from '../log.server'

const publicUrl = 'http://localhost:3000'
const person = { email: 'ada@test.example', password: 'secret-12', firstName: 'Ada', lastName: 'Lovelace' }

it('a login succeeds although its moment cannot be written, which is only logged', async () => {
  const { db } = await testDatabase()
  const service = createAccountService({
    db,
    publicUrl,
    loopback: true,
    secret: 'a secret that is only used by tests, 0123456789',
    providers: [],
    sendMail: async () => {},
  })
  const send = (operation: string, body: object) =>
    service.handle(
      new Request(`${publicUrl}/account/${operation}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Origin: publicUrl },
        body: JSON.stringify(body),
      }),
    )
  expect((await send('register', person)).status).toBe(200)
  await db.execute(
    sql`create function refuse() returns trigger language plpgsql as 'begin raise exception ''no''; end'`,
  )
  await db.execute(sql`create trigger refuse before update on users for each row execute function refuse()`)
  const logged = vi.spyOn(log, 'error')

  const answer = await send('login', { email: person.email, password: person.password })
  expect(await answer.json()).toEqual({ success: true })
  expect(answer.headers.getSetCookie().join()).toContain('session_token')
  expect(logged).toHaveBeenCalledWith(expect.anything(), 'the time of a sign-in was not written')
})

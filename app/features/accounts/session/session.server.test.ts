import { expect, it, vi } from 'vitest'
import { connect, type Database } from '~/server/database/client.server'
import { log } from '~/server/operations/log.server'
import { AccountClient } from '../../../../tests/support/account-client'
import { testDatabase } from '../../../../tests/support/test-database'
import { createAccountService } from '../account-service.server'

const publicUrl = 'http://localhost:3000'
const serviceOn = (db: Database) =>
  createAccountService({ db, publicUrl, loopback: true, secret: 'a secret of the test, 0123456789abc', providers: [] })

it('while the database fails nobody is told to be signed out, and the log has the cause', async () => {
  const browser = new AccountClient(serviceOn((await testDatabase()).db), publicUrl)
  const person = { email: 'ada@test.example', password: 'secret-12', firstName: 'Ada', lastName: 'Lovelace' }
  await browser.send('POST', '/register', person)
  const uid = (await browser.user())?.uid

  // Nobody listens at port 1.
  const later = new AccountClient(serviceOn(connect('postgres://a:b@127.0.0.1:1/c').database), publicUrl)
  expect((await later.send('GET', '/session')).body.user).toBeNull()
  later.cookies = browser.cookies
  const warn = vi.spyOn(log, 'warn')
  for (const path of ['/session', `/users/${uid}`]) expect((await later.send('GET', path)).status).toBe(500)
  expect(later.cookies.size).toBeGreaterThan(0)
  expect(warn).toHaveBeenCalledWith(expect.objectContaining({ err: expect.any(Error) }), 'better-auth')
})

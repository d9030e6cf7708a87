import { sql } from 'drizzle-orm'
import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { createTestDatabase } from '../../../tests/support/test-database'
import { reportError } from '../operations/log.server'
import { connect } from './client.server'
import { outageMiddleware } from './outage.server'

/** A database that is down: no server listens at port 1. */
const unreachable = connect('postgres://a:b@127.0.0.1:1/c')
const app = new Hono()
app.use(outageMiddleware)
app.get('/query', async (context) => {
  await unreachable.database.execute(sql`select 1`)
  return context.text('never')
})
app.get('/transaction', async (context) => {
  await unreachable.database.transaction((transaction) => transaction.execute(sql`select 1`))
  return context.text('never')
})
app.get('/handled-error', async (context) => {
  await unreachable.database.execute(sql`select 1`).catch(() => {})
  return context.text('fine')
})
app.get('/full-disk', async (context) => {
  const { db } = await createTestDatabase()
  const raiseDiskFull = sql.raw(
    "do $$ begin raise exception 'no space left on device' using errcode = '53100'; end $$",
  )
  await db.transaction((transaction) => transaction.execute(raiseDiskFull))

  return context.text('never')
})
app.get('/lost-connection', async (context) => {
  const { db } = await createTestDatabase()
  await db.transaction(async (transaction) => {
    await transaction.execute(sql`select pg_terminate_backend(pg_backend_pid())`)
  })
  return context.text('never')
})
app.get('/broken', () => {
  throw new Error('A defect.')
})
app.get('/missing-file', () => {
  throw Object.assign(new Error('No such file.'), { code: 'ENOENT' })
})
app.onError((error, context) => {
  reportError(error)
  return context.text('An error message.', 500)
})

test.each([
  ['needs the database while it is down', '/query'],
  ['begins a transaction while it is down', '/transaction'],
  ['is ended by a full disk in the middle of its transaction', '/full-disk'],
  ['loses its connection in the middle of its transaction', '/lost-connection'],
])('a request that %s gets 503 and Retry-After', async (_reason, path) => {
  const response = await app.request(path)

  expect(response.status).toBe(503)
  expect(response.headers.get('Retry-After')).toBe('5')
  expect(await response.text()).toBe('An error message.')
})

test('a response is unchanged if its route handles the outage', async () => {
  expect((await app.request('/handled-error')).status).toBe(200)
})

test.each(['/broken', '/missing-file'])(
  'a defect is not reported as an outage: %s',
  async (path) => {
    const response = await app.request(path)

    expect(response.status).toBe(500)
    expect(response.headers.has('Retry-After')).toBe(false)
  },
)

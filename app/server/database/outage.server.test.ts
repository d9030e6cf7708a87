import { sql } from 'drizzle-orm'
import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { createTestDatabase } from '../../../tests/support/test-database'
import { reportError } from '../operations/log.server'
import { connect } from './client.server'
import { outageMiddleware } from './connection-error.server'

/** No server listens at port 1. */
const gone = connect('postgres://a:b@127.0.0.1:1/c')
const app = new Hono()
app.use(outageMiddleware)
app.get('/asks', async (context) => {
  await gone.database.execute(sql`select 1`)
  return context.text('never')
})
app.get('/begins', async (context) => {
  await gone.database.transaction((transaction) => transaction.execute(sql`select 1`))
  return context.text('never')
})
app.get('/copes', async (context) => {
  await gone.database.execute(sql`select 1`).catch(() => {})
  return context.text('fine')
})
app.get('/changes', async (context) => {
  const { db } = await createTestDatabase()
  const full = sql.raw(
    "do $$ begin raise exception 'no space left on device' using errcode = '53100'; end $$",
  )
  await db.transaction((transaction) => transaction.execute(full))

  return context.text('never')
})
app.get('/loses', async (context) => {
  const { db } = await createTestDatabase()
  await db.transaction(async (transaction) => {
    await transaction.execute(sql`select pg_terminate_backend(pg_backend_pid())`)
  })
  return context.text('never')
})
app.get('/broken', () => {
  throw new Error('A mistake of ours.')
})
app.get('/missing-file', () => {
  throw Object.assign(new Error('No such file.'), { code: 'ENOENT' })
})
app.onError((error, context) => {
  reportError(error)
  return context.text('A sentence.', 500)
})

test.each([
  ['needs the database while it is down', '/asks'],
  ['begins a transaction while it is down', '/begins'],
  ['is ended by a full disk in the middle of its transaction', '/changes'],
  ['loses its connection in the middle of its transaction', '/loses'],
])('a request that %s is 503 and to be tried again', async (_what, path) => {
  const response = await app.request(path)
  expect(response.status).toBe(503)
  expect(response.headers.get('Retry-After')).toBe('5')
  expect(await response.text()).toBe('A sentence.')
})

test('an answer that does without the database stays as it is', async () => {
  expect((await app.request('/copes')).status).toBe(200)
})

test.each(['/broken', '/missing-file'])('a mistake of ours is no outage: %s', async (path) => {
  const response = await app.request(path)
  expect(response.status).toBe(500)
  expect(response.headers.has('Retry-After')).toBe(false)
})

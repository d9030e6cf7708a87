import { sql } from 'drizzle-orm'
import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { testDatabase } from '../../../tests/support/test-database'
import { connect } from './client.server'
import { answerOutage } from './outage.server'

/** Nobody listens at port 1. */
const gone = connect('postgres://a:b@127.0.0.1:1/c')
const app = new Hono()
app.use(answerOutage)
app.get('/asks', async (context) => {
  await gone.database.execute(sql`select 1`)
  return context.text('never')
})
app.get('/copes', async (context) => {
  await gone.database.execute(sql`select 1`).catch(() => {})
  return context.text('fine')
})
app.get('/changes', async (context) => {
  const { db } = await testDatabase()
  const full = sql.raw("do $$ begin raise exception 'no space left on device' using errcode = '53100'; end $$")
  await db.transaction((transaction) => transaction.execute(full))
  return context.text('never')
})
app.get('/broken', () => {
  throw new Error('A mistake of ours.')
})
app.onError((_error, context) => context.text('A sentence.', 500))

test('what needs the database while it is down is 503 and to be tried again', async () => {
  const response = await app.request('/asks')
  expect(response.status).toBe(503)
  expect(response.headers.get('Retry-After')).toBe('5')
  expect(await response.text()).toBe('A sentence.')
})

test('so is a change that a full disk ended in the middle of its transaction', async () => {
  expect((await app.request('/changes')).status).toBe(503)
})

test('an answer that does without the database stays as it is', async () => {
  expect((await app.request('/copes')).status).toBe(200)
})

test('a mistake of ours is no outage', async () => {
  const response = await app.request('/broken')
  expect(response.status).toBe(500)
  expect(response.headers.has('Retry-After')).toBe(false)
})

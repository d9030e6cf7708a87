import { sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { testDatabase } from '../../../tests/support/test-database'
import { RequestTrace, withTrace } from '../request-trace.server'
import { connect } from './client.server'

it('a request knows how long its queries waited for a connection that others had, and how long they took', async () => {
  const { url } = await testDatabase()
  const { database, pool } = connect(url, { poolSize: 2 })
  const free: (() => void)[] = []
  const held = [1, 2].map(() => database.transaction(() => new Promise<void>((resolve) => free.push(resolve))))
  await expect.poll(() => free.length).toBe(2)
  const trace = new RequestTrace('of a test')
  const asked = withTrace(trace, () => Promise.all([database.execute(sql`select pg_sleep(0.02)`)]))
  await expect.poll(() => pool.figures).toEqual({ inUse: 2, waiting: 1, size: 2 })
  const since = performance.now()
  await expect.poll(() => performance.now() - since).toBeGreaterThan(30)
  for (const release of free) release()
  await Promise.all([...held, asked])
  await expect.poll(() => pool.figures).toEqual({ inUse: 0, waiting: 0, size: 2 })
  expect(trace.queries).toBe(1)
  expect(trace.poolMs).toBeGreaterThanOrEqual(29)
  expect(trace.sqlMs).toBeGreaterThanOrEqual(19)
  await pool.end()
})

it('what never got a connection leaves no trace in the figures', async () => {
  const { database, pool } = connect('postgres://nobody@127.0.0.1:1/nothing', { poolSize: 2 })
  await expect(database.execute(sql`select 1`)).rejects.toThrow()
  await expect(database.transaction((transaction) => transaction.execute(sql`select 1`))).rejects.toThrow()
  await expect.poll(() => pool.figures).toEqual({ inUse: 0, waiting: 0, size: 2 })
  await pool.end()
})

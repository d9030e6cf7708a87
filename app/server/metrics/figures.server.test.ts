import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { testDatabase } from '../../../tests/support/test-database'
import { connect } from '../database/client.server'
import { RequestTrace, withTrace } from '../request-trace.server'
import { Durations, durationBounds } from './durations.server'
import { listJobRuns, trackRun } from './job-runs.server'
import { recently } from './recently.server'

it('each duration counts once, under the least bound that it does not exceed', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 100, noNaN: true }), (seconds) => {
      const durations = new Durations()
      durations.note(seconds)
      const place = durations.counts.indexOf(1)
      expect(durations.counts.reduce((sum, count) => sum + count)).toBe(1)
      expect(seconds).toBeLessThanOrEqual(durationBounds[place] ?? Number.POSITIVE_INFINITY)
      if (place > 0) expect(seconds).toBeGreaterThan(durationBounds[place - 1] ?? 0)
      expect(durations.sum).toBe(seconds)
    }),
  )
})

it('background work that failed counts as failed, and keeps the time of its last success', async () => {
  let now = 1_000
  const run = (work: () => Promise<void>) => trackRun('work of this test', work, () => now)
  await run(async () => {
    now += 500
  })
  await expect(run(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
  const runs = new Map(listJobRuns()).get('work of this test')
  expect(runs).toEqual({ runs: 2, failures: 1, lastSeconds: expect.any(Number), lastSuccessAt: 1_500 })
  await run(async () => {
    now -= 3_600_000
  })
  expect(runs?.lastSeconds).toBeGreaterThanOrEqual(0)
})

describe('figures of the database', () => {
  it('are asked for at most once in a while, however often they are wanted', async () => {
    let now = 0
    let asked = 0
    const figures = recently(
      async () => ++asked,
      5_000,
      1_000,
      () => now,
    )
    expect(await Promise.all([figures(), figures(), figures()])).toEqual([1, 1, 1])
    now = 4_999
    expect(await figures()).toBe(1)
    now = 5_000
    expect(await figures()).toBe(2)
  })

  it('are none when they come too late', async () => {
    expect(await recently(() => new Promise<number>(() => {}), 5_000, 1)()).toBeNull()
  })
})

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

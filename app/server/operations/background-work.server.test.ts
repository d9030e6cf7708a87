import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createTestDatabase } from '../../../tests/support/test-database'
import type { Database } from '../database/client.server'
import { backgroundLease } from '../database/schema'
import {
  createHolderName,
  leaseDurationMs,
  releaseLease,
  takeLease,
} from './background-lease.server'
import { BackgroundWork } from './background-work.server'
import { log } from './log.server'

describe('the lease of background work', () => {
  let db: Database
  beforeAll(async () => {
    db = (await createTestDatabase()).db
  })
  beforeEach(() => db.delete(backgroundLease))
  const passTime = (ms: number) =>
    db.execute(
      sql`update background_lease set expires_at = expires_at - make_interval(secs => ${ms / 1000}::float8)`,
    )

  it('is given to one of several processes that request it at once, which can renew it', async () => {
    const holders = Array.from({ length: 8 }, createHolderName)
    const terms = await Promise.all(holders.map((holder) => takeLease(db, holder)))
    expect(terms.filter((term) => term !== null)).toEqual([1])

    const holder = holders[terms.indexOf(1)] ?? ''
    await passTime(leaseDurationMs - 1_000)
    expect(await takeLease(db, holder)).toBe(1)

    await passTime(leaseDurationMs - 1_000)
    expect(await takeLease(db, 'another')).toBeNull()
  })

  it('goes to another process when its holder is silent, and the holder cannot renew it any more', async () => {
    expect(await takeLease(db, 'first')).toBe(1)

    await passTime(leaseDurationMs)
    expect(await takeLease(db, 'second')).toBe(2)
    expect(await takeLease(db, 'first')).toBeNull()
  })

  it('can be taken when its holder has died and the database’s clock was set back an hour', async () => {
    expect(await takeLease(db, 'first')).toBe(1)

    await passTime(-3_600_000)
    expect(await takeLease(db, 'second')).toBe(2)
  })

  it('is free at once when its holder releases it, and only the holder can release it', async () => {
    await takeLease(db, 'first')
    await releaseLease(db, 'second')
    expect(await takeLease(db, 'second')).toBeNull()

    await releaseLease(db, 'first')
    expect(await takeLease(db, 'second')).toBe(2)
  })
})

describe('a process that does the background work', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  /** Creates a lease that follows the rules of the database, by the fake clock of the test. */
  function createLease() {
    const row = { holder: '', term: 0, expiresAt: 0, isUnavailable: false }
    const forHolder = (holder: string) => ({
      takeOrRenew: async () => {
        if (row.isUnavailable) {
          throw new Error('The database does not respond.')
        }

        if (row.holder !== holder && row.expiresAt >= Date.now()) {
          return null
        }

        if (row.holder !== holder) {
          row.term += 1
        }

        Object.assign(row, { holder, expiresAt: Date.now() + leaseDurationMs })

        return row.term
      },
      release: async () => {
        if (row.holder === holder) {
          row.expiresAt = 0
        }
      },
    })

    return { row, forHolder }
  }

  const createWorker = () => new BackgroundWork()
  /** Creates a job whose runs end when the test calls the functions in `ends`. */
  function createSlowJob(intervalMs = 2_000) {
    const ends: (() => void)[] = []
    const guards: (() => boolean)[] = []
    const run = (mayContinue: () => boolean) =>
      new Promise<void>((resolve) => {
        guards.push(mayContinue)
        ends.push(resolve)
      })

    return { ends, guards, job: { name: 'slow', intervalMs, run } }
  }

  it('never starts a second run beside a slow one, and ends the last run of a removed job after its current step', async () => {
    const worker = createWorker()
    const { ends, guards, job } = createSlowJob()
    const remove = worker.schedule(job)
    const stop = worker.start(createLease().forHolder('one'))
    await vi.advanceTimersByTimeAsync(60_000)
    expect(ends.length).toBe(1)

    ends[0]?.()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(ends.length).toBe(2)
    expect(guards[1]?.()).toBe(true)

    let isRemoved = false
    const removal = remove().then(() => {
      isRemoved = true
    })
    await vi.advanceTimersByTimeAsync(60_000)
    expect([ends.length, isRemoved]).toEqual([2, false])
    expect(guards[1]?.()).toBe(false)

    ends[1]?.()
    await removal
    await stop()
  })

  it('runs each job at its own interval, also after a run that failed', async () => {
    const runs = { often: 0, seldom: 0 }
    const worker = createWorker()
    const fail = (name: 'often' | 'seldom') => async () => {
      runs[name] += 1
      throw new Error('The database does not respond.')
    }
    worker.schedule({ name: 'often', intervalMs: 2_000, run: fail('often') })
    worker.schedule({ name: 'seldom', intervalMs: 60_000, run: fail('seldom') })
    const stop = worker.start(createLease().forHolder('one'))
    await vi.advanceTimersByTimeAsync(600_000)
    expect(runs.often).toBeGreaterThan(290)
    expect(runs.often).toBeLessThan(301)
    expect(runs.seldom).toBeGreaterThan(8)
    expect(runs.seldom).toBeLessThan(11)

    await stop()
  })

  it('is replaced by another process within two seconds when it stops', async () => {
    const { forHolder } = createLease()
    const [one, other] = [createWorker(), createWorker()]
    const stopOne = one.start(forHolder('one'))
    await vi.advanceTimersByTimeAsync(1_000)
    const stopOther = other.start(forHolder('other'))
    await vi.advanceTimersByTimeAsync(10_000)
    expect([one.holdsLease, other.holdsLease]).toEqual([true, false])

    await stopOne()
    await vi.advanceTimersByTimeAsync(2_000)
    expect(other.holdsLease).toBe(true)

    await stopOther()
  })

  it('starts no run while it stops, and ends the current runs after their current step', async () => {
    const worker = createWorker()
    const { guards, ends, job } = createSlowJob()
    let otherRuns = 0
    worker.schedule(job)
    const stop = worker.start(createLease().forHolder('one'))
    await vi.advanceTimersByTimeAsync(3_500)
    worker.schedule({ name: 'other', intervalMs: 0, run: async () => (otherRuns += 1) })

    // The next renewal has begun, but its response has not arrived.
    vi.advanceTimersByTime(500)
    const stopping = stop()
    await vi.advanceTimersByTimeAsync(0)
    expect(guards.map((mayContinue) => mayContinue())).toEqual([false])

    ends[0]?.()
    await stopping

    expect(otherRuns).toBe(0)
  })

  it('warns once that the lease can’t be renewed, and again after a renewal that succeeded', async () => {
    const warn = vi.spyOn(log, 'warn').mockImplementation(() => {})
    const { forHolder, row } = createLease()
    const stop = createWorker().start(forHolder('one'))
    for (const isUnavailable of [true, false, true]) {
      row.isUnavailable = isUnavailable
      await vi.advanceTimersByTimeAsync(10_000)
    }

    expect(warn).toHaveBeenCalledTimes(2)

    warn.mockRestore()
    await stop()
  })

  it('starts no run once its lease may have expired because the database does not respond', async () => {
    const { forHolder, row } = createLease()
    const worker = createWorker()
    let runs = 0
    worker.schedule({ name: 'job', intervalMs: 2_000, run: async () => (runs += 1) })
    const stop = worker.start(forHolder('one'))
    await vi.advanceTimersByTimeAsync(10_000)
    row.isUnavailable = true
    await vi.advanceTimersByTimeAsync(leaseDurationMs)
    runs = 0
    await vi.advanceTimersByTimeAsync(60_000)
    expect([runs, worker.holdsLease]).toEqual([0, false])

    row.isUnavailable = false
    await vi.advanceTimersByTimeAsync(10_000)
    expect(runs).toBeGreaterThan(2)

    await stop()
  })

  it('does not continue a run after it was suspended and lost the lease, even if it has the lease again', async () => {
    const { forHolder, row } = createLease()
    const worker = createWorker()
    const { guards, ends, job } = createSlowJob()
    worker.schedule(job)
    const stop = worker.start(forHolder('one'))
    await vi.advanceTimersByTimeAsync(5_000)
    expect(guards.map((mayContinue) => mayContinue())).toEqual([true])

    // While a computer is suspended, its system clock advances, but the monotonic clock of Linux
    // does not.
    vi.setSystemTime(Date.now() + leaseDurationMs)
    expect(guards[0]?.()).toBe(false)

    await forHolder('other').takeOrRenew()
    row.expiresAt = 0
    await vi.advanceTimersByTimeAsync(4_000)
    expect([worker.holdsLease, guards[0]?.()]).toEqual([true, false])

    ends[0]?.()
    await stop()
  })

  it('is the only one at any time, however often processes are suspended', async () => {
    const events = fc.array(
      fc.record({
        workerIndex: fc.nat(2),
        suspendedMs: fc.integer({ min: 0, max: 20_000 }),
        afterMs: fc.nat(9_000),
      }),
      { maxLength: 12 },
    )

    await fc.assert(
      fc.asyncProperty(events, async (list) => {
        const { forHolder } = createLease()
        const suspendedUntil = [0, 0, 0]
        const workers = suspendedUntil.map(createWorker)
        // A suspended process cannot renew the lease.
        const stops = workers.map((worker, index) => {
          const lease = forHolder(String(index))
          const isSuspended = () => Date.now() < (suspendedUntil[index] ?? 0)

          return worker.start({
            ...lease,
            takeOrRenew: async () =>
              isSuspended() ? Promise.reject(new Error('suspended')) : lease.takeOrRenew(),
          })
        })

        for (const { workerIndex, suspendedMs, afterMs } of list) {
          for (let ms = 0; ms < afterMs; ms += 500) {
            await vi.advanceTimersByTimeAsync(500)
            expect(workers.filter(({ holdsLease }) => holdsLease).length).toBeLessThan(2)
          }

          suspendedUntil[workerIndex] = Date.now() + suspendedMs
        }

        await vi.advanceTimersByTimeAsync(40_000)
        expect(workers.filter(({ holdsLease }) => holdsLease)).toHaveLength(1)
        for (const stop of stops) {
          await stop()
        }
      }),
      { numRuns: 30 },
    )
  })
})

import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createTestDatabase } from '../../../tests/support/test-database'
import type { Database } from '../database/client.server'
import { backgroundLease } from '../database/schema'
import {
  BackgroundWork,
  leaseMs,
  newHolder,
  releaseLease,
  takeLease,
} from './background-work.server'

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

  it('is had by one of all who ask at once, who can renew it', async () => {
    const holders = Array.from({ length: 8 }, newHolder)
    const terms = await Promise.all(holders.map((holder) => takeLease(db, holder)))
    expect(terms.filter((term) => term !== null)).toEqual([1])
    const holder = holders[terms.indexOf(1)] ?? ''
    await passTime(leaseMs - 1_000)
    expect(await takeLease(db, holder)).toBe(1)
    await passTime(leaseMs - 1_000)
    expect(await takeLease(db, 'another')).toBeNull()
  })

  it('goes to another one when its holder is silent, who then comes too late', async () => {
    expect(await takeLease(db, 'first')).toBe(1)
    await passTime(leaseMs)
    expect(await takeLease(db, 'second')).toBe(2)
    expect(await takeLease(db, 'first')).toBeNull()
  })

  it('goes on when its holder died and the database’s clock was set back an hour', async () => {
    expect(await takeLease(db, 'first')).toBe(1)
    await passTime(-3_600_000)
    expect(await takeLease(db, 'second')).toBe(2)
  })

  it('is free at once when its holder ends, and another one’s cannot be given up', async () => {
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

  /** Given as the database gives it, by the one clock of the test. */
  function lease() {
    const state = { holder: '', term: 0, expiresAt: 0, isAway: false }
    const of = (holder: string) => ({
      take: async () => {
        if (state.isAway) {
          throw new Error('away')
        }

        if (state.holder !== holder && state.expiresAt >= Date.now()) {
          return null
        }

        if (state.holder !== holder) {
          state.term += 1
        }

        Object.assign(state, { holder, expiresAt: Date.now() + leaseMs })

        return state.term
      },
      release: async () => {
        if (state.holder === holder) {
          state.expiresAt = 0
        }
      },
    })

    return { state, of }
  }

  const worker = () => new BackgroundWork({ now: Date.now })
  /** Runs that end when they are told to. */
  function slowJob(everyMs = 2_000) {
    const ends: (() => void)[] = []
    const guards: (() => boolean)[] = []
    const run = (mayGoOn: () => boolean) =>
      new Promise<void>((resolve) => {
        guards.push(mayGoOn)
        ends.push(resolve)
      })

    return { ends, guards, job: { name: 'slow', everyMs, run } }
  }

  it('never has a second run beside a slow one, goes on after it, and is stopped when the last has ended', async () => {
    const work = worker()
    const { ends, job } = slowJob()
    const remove = work.add(job)
    const stop = work.start(lease().of('one'))
    await vi.advanceTimersByTimeAsync(60_000)
    expect(ends.length).toBe(1)
    ends[0]?.()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(ends.length).toBe(2)
    let stopped = false
    const stopping = remove().then(() => {
      stopped = true
    })
    await vi.advanceTimersByTimeAsync(60_000)
    expect([ends.length, stopped]).toEqual([2, false])
    ends[1]?.()
    await stopping
    await stop()
  })

  it('does each job at its own pace, and goes on after a run that failed', async () => {
    const runs = { often: 0, seldom: 0 }
    const work = worker()
    const fail = (name: 'often' | 'seldom') => async () => {
      runs[name] += 1
      throw new Error('The database is away.')
    }
    work.add({ name: 'often', everyMs: 2_000, run: fail('often') })
    work.add({ name: 'seldom', everyMs: 60_000, run: fail('seldom') })
    const stop = work.start(lease().of('one'))
    await vi.advanceTimersByTimeAsync(600_000)
    expect(runs.often).toBeGreaterThan(290)
    expect(runs.often).toBeLessThan(301)
    expect(runs.seldom).toBeGreaterThan(8)
    expect(runs.seldom).toBeLessThan(11)
    await stop()
  })

  it('is replaced within two seconds when it ends', async () => {
    const { of } = lease()
    const [one, other] = [worker(), worker()]
    const stopOne = one.start(of('one'))
    await vi.advanceTimersByTimeAsync(1_000)
    const stopOther = other.start(of('other'))
    await vi.advanceTimersByTimeAsync(10_000)
    expect([one.isHeld, other.isHeld]).toEqual([true, false])
    await stopOne()
    await vi.advanceTimersByTimeAsync(2_000)
    expect(other.isHeld).toBe(true)
    await stopOther()
  })

  it('begins nothing while the database does not answer, once its lease may be another’s', async () => {
    const { of, state } = lease()
    const work = worker()
    let runs = 0
    work.add({ name: 'job', everyMs: 2_000, run: async () => (runs += 1) })
    const stop = work.start(of('one'))
    await vi.advanceTimersByTimeAsync(10_000)
    state.isAway = true
    await vi.advanceTimersByTimeAsync(leaseMs)
    runs = 0
    await vi.advanceTimersByTimeAsync(60_000)
    expect([runs, work.isHeld]).toEqual([0, false])
    state.isAway = false
    await vi.advanceTimersByTimeAsync(10_000)
    expect(runs).toBeGreaterThan(2)
    await stop()
  })

  it('takes no further step of a run when it comes back after a halt, even if it has the lease again', async () => {
    const { of, state } = lease()
    const work = worker()
    const { guards, ends, job } = slowJob()
    work.add(job)
    const stop = work.start(of('one'))
    await vi.advanceTimersByTimeAsync(5_000)
    expect(guards.map((mayGoOn) => mayGoOn())).toEqual([true])
    // The clock goes on, the process does not.
    vi.setSystemTime(Date.now() + leaseMs)
    expect(guards[0]?.()).toBe(false)
    await of('other').take()
    state.expiresAt = 0
    await vi.advanceTimersByTimeAsync(4_000)
    expect([work.isHeld, guards[0]?.()]).toEqual([true, false])
    ends[0]?.()
    await stop()
  })

  it('is never one of two, however often processes halt and die', async () => {
    const events = fc.array(
      fc.record({
        who: fc.nat(2),
        halts: fc.integer({ min: 0, max: 20_000 }),
        after: fc.nat(9_000),
      }),
      { maxLength: 12 },
    )

    await fc.assert(
      fc.asyncProperty(events, async (list) => {
        const { of } = lease()
        const until = [0, 0, 0]
        const workers = until.map(worker)
        // A halted process neither asks nor hears.
        const stops = workers.map((each, index) => {
          const own = of(String(index))
          const isHalted = () => Date.now() < (until[index] ?? 0)

          return each.start({
            ...own,
            take: async () => (isHalted() ? Promise.reject(new Error('halted')) : own.take()),
          })
        })

        for (const { who, halts, after } of list) {
          for (let ms = 0; ms < after; ms += 500) {
            await vi.advanceTimersByTimeAsync(500)
            expect(workers.filter(({ isHeld }) => isHeld).length).toBeLessThan(2)
          }

          until[who] = Date.now() + halts
        }

        await vi.advanceTimersByTimeAsync(40_000)
        expect(workers.filter(({ isHeld }) => isHeld)).toHaveLength(1)
        for (const stop of stops) {
          await stop()
        }
      }),
      { numRuns: 30 },
    )
  })
})

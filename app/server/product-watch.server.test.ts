import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ProductState } from './product-state.server'
import { ProductWatch } from './product-watch.server'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function watched() {
  const database = { version: 1, changes: ['course:first'], history: '00000001', isAway: false, looks: 0 }
  const heard: (readonly string[] | null)[] = []
  const watch = new ProductWatch({
    read: async (): Promise<ProductState> => {
      database.looks += 1
      if (database.isAway) throw new Error('away')
      const { version, changes, history } = database
      return { version, changes: [...changes], history }
    },
    onChange: (subjects) => heard.push(subjects),
    now: Date.now,
  })
  const change = (subject: string) => {
    database.version += 1
    database.changes.push(subject)
  }
  const asked = async (seconds: number) => {
    for (let second = 0; second < seconds; second++) {
      watch.noteRequest()
      await vi.advanceTimersByTimeAsync(1_000)
    }
  }
  return { database, heard, watch, change, asked }
}

describe('a process while somebody asks for pages', () => {
  it('hears of a change within 1.2 seconds, once', async () => {
    const { heard, watch, change, asked } = watched()
    await watch.settle()
    heard.length = 0
    for (let round = 0; round < 20; round++) {
      change(`course:${round}`)
      watch.noteRequest()
      await vi.advanceTimersByTimeAsync(1_200)
      expect(heard).toEqual([[`course:${round}`]])
      heard.length = 0
    }
    await asked(5)
    expect(heard).toEqual([])
    watch.stop()
  })

  it('takes everything for changed once a standby took over, also when its version is the one that is known', async () => {
    const { database, heard, watch, asked } = watched()
    await watch.settle()
    heard.length = 0
    database.changes[0] = 'course:other'
    database.history = '00000002'
    await asked(5)
    expect(heard).toEqual([null])
    watch.stop()
  })

  it('looks about once a second, and no more often however much is asked or announced', async () => {
    const { database, watch, asked } = watched()
    await watch.settle()
    database.looks = 0
    await asked(60)
    expect(database.looks).toBeGreaterThan(45)
    expect(database.looks).toBeLessThan(76)
    database.looks = 0
    for (let version = 100; version < 200; version++) {
      watch.hear(version)
      await vi.advanceTimersByTimeAsync(10)
    }
    expect(database.looks).toBeLessThan(10)
    watch.stop()
  })

  it('hears of an announced change at once, and asks nothing for its own', async () => {
    const { database, heard, watch, change, asked } = watched()
    await watch.settle()
    await asked(1)
    await vi.advanceTimersByTimeAsync(250)
    heard.length = 0
    change('course:a')
    watch.hear(database.version)
    await vi.advanceTimersByTimeAsync(200)
    expect(heard).toEqual([['course:a']])
    database.looks = 0
    watch.hear(database.version)
    await vi.advanceTimersByTimeAsync(200)
    expect(database.looks).toBeLessThan(2)
    watch.stop()
  })

  it('makes up for the looks that a database did not answer', async () => {
    const { database, heard, watch, change, asked } = watched()
    await watch.settle()
    database.isAway = true
    change('course:a')
    change('course:b')
    heard.length = 0
    await asked(60)
    database.isAway = false
    await asked(2)
    expect(heard).toEqual([['course:a', 'course:b']])
    watch.stop()
  })
})

describe('a process that nobody asks for a minute', () => {
  it('asks the database nothing, and looks before the next page', async () => {
    const { database, heard, watch, change, asked } = watched()
    await watch.settle()
    await asked(1)
    await vi.advanceTimersByTimeAsync(62_000)
    heard.length = 0
    database.looks = 0
    change('course:a')
    watch.hear(database.version)
    await vi.advanceTimersByTimeAsync(3_600_000)
    expect([database.looks, watch.noteRequest()]).toEqual([0, false])
    await Promise.all([watch.settle(), watch.settle()])
    expect([database.looks, watch.noteRequest(), heard]).toEqual([1, true, [['course:a']]])
    watch.stop()
  })

  it('waits a second at most for a database that hangs', async () => {
    const watch = new ProductWatch({ read: () => new Promise(() => {}), onChange() {}, now: Date.now })
    const settled = watch.settle()
    await vi.advanceTimersByTimeAsync(1_000)
    await settled
    expect(watch.noteRequest()).toBe(true)
    watch.stop()
  })
})

it('a look that begins before a change is followed by one that sees it', async () => {
  let version = 1
  const seen: number[] = []
  const ends: (() => void)[] = []
  const watch = new ProductWatch({
    read: () => {
      const read = version
      return new Promise((resolve) => ends.push(() => resolve({ version: read, changes: [] })))
    },
    onChange: () => seen.push(watch.known ?? 0),
  })
  const first = watch.check()
  await vi.advanceTimersByTimeAsync(0)
  version = 2
  const second = watch.check()
  ends[0]?.()
  await first
  await vi.advanceTimersByTimeAsync(0)
  ends[1]?.()
  await second
  expect(seen).toEqual([1, 2])
})

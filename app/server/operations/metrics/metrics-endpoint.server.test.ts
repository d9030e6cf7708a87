import { describe, expect, it } from 'vitest'
import { throttle } from './metrics-endpoint.server'

describe('figures of the database', () => {
  it('are read at most once per interval, however often they are requested', async () => {
    let now = 0
    let readCount = 0
    const readFigures = throttle(
      async () => ++readCount,
      5_000,
      1_000,
      () => now,
    )

    expect(await Promise.all([readFigures(), readFigures(), readFigures()])).toEqual([1, 1, 1])

    now = 4_999
    expect(await readFigures()).toBe(1)

    now = 5_000
    expect(await readFigures()).toBe(2)
  })

  it('are null if reading takes too long', async () => {
    expect(await throttle(() => new Promise<number>(() => {}), 5_000, 1)()).toBeNull()
  })
})

import { describe, expect, it } from 'vitest'
import { throttled } from './metrics-endpoint.server'

describe('figures of the database', () => {
  it('are asked for at most once in a while, however often they are wanted', async () => {
    let now = 0
    let asked = 0
    const figures = throttled(
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
    expect(await throttled(() => new Promise<number>(() => {}), 5_000, 1)()).toBeNull()
  })
})

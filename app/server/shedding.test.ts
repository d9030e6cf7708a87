import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isRefused, nextLevel, works } from './shedding'

const level = fc.integer({ min: 0, max: 4 })
const load = fc.record({ delayMs: fc.nat(10_000), waiting: fc.nat(500) })
const idle = { delayMs: 0, waiting: 0 }

describe('the level of shedding', () => {
  it('rises at once with the delay of the main thread or the questions that wait', () => {
    expect(nextLevel(0, idle, 300)).toBe(0)
    expect([299, 300, 600, 1500, 3000].map((delayMs) => nextLevel(0, { ...idle, delayMs }, 300))).toEqual([
      0, 1, 2, 3, 4,
    ])
    expect([19, 20, 50, 100, 200].map((waiting) => nextLevel(0, { ...idle, waiting }, 300))).toEqual([0, 1, 2, 3, 4])
  })

  it('falls by one a second', () => {
    expect(nextLevel(4, idle, 300)).toBe(3)
    expect(nextLevel(1, idle, 300)).toBe(0)
  })

  it('is higher for a higher load, and never jumps down', () => {
    fc.assert(
      fc.property(level, load, load, (before, one, other) => {
        const both = { delayMs: Math.max(one.delayMs, other.delayMs), waiting: Math.max(one.waiting, other.waiting) }
        expect(nextLevel(before, both, 300)).toBeGreaterThanOrEqual(nextLevel(before, one, 300))
        expect(nextLevel(before, one, 300)).toBeGreaterThanOrEqual(before - 1)
        expect(nextLevel(before, one, 300)).toBeLessThanOrEqual(4)
      }),
    )
  })
})

describe('what is refused', () => {
  it('is nothing at first, then what costs most, sign-ins, pages, and reports last', () => {
    const refused = [0, 1, 2, 3, 4].map((now) => works.filter((work) => isRefused(work, now)))
    expect(refused).toEqual([
      [],
      ['costly', 'rendering'],
      ['costly', 'rendering', 'sign-in'],
      ['costly', 'rendering', 'sign-in', 'page', 'data'],
      ['costly', 'rendering', 'sign-in', 'page', 'data', 'report'],
    ])
  })
})

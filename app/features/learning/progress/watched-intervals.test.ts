import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  coveredMs,
  fromMultirange,
  type Interval,
  toMultirange,
  uniteIntervals,
} from './watched-intervals'

const interval = fc
  .tuple(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 20 }))
  .map(([start, length]): Interval => [start, start + length])
const intervals = fc.array(interval, { maxLength: 12 })

/** The slow and obvious way: one mark a millisecond. */
function marks(list: readonly Interval[]): Set<number> {
  const set = new Set<number>()
  for (const [start, end] of list) {
    for (let at = start; at < end; at++) {
      set.add(at)
    }
  }

  return set
}

describe('watched intervals', () => {
  it('cover exactly what any of them covers', () => {
    fc.assert(
      fc.property(intervals, (list) => {
        const united = uniteIntervals(list)
        expect(marks(united)).toEqual(marks(list))
        expect(coveredMs(united)).toBe(marks(list).size)
      }),
    )
  })

  it('are united the same in any order, twice, and in parts', () => {
    fc.assert(
      fc.property(intervals, intervals, (one, other) => {
        const united = uniteIntervals(one, other)
        expect(uniteIntervals(other, one)).toEqual(united)
        expect(uniteIntervals(united, one)).toEqual(united)
        expect(uniteIntervals(uniteIntervals(one), uniteIntervals(other))).toEqual(united)
      }),
    )
  })

  it('never touch or overlap once united', () => {
    fc.assert(
      fc.property(intervals, (list) => {
        const united = uniteIntervals(list)
        expect(
          united.every(
            ([start, end], index) => start < end && start > (united[index - 1]?.[1] ?? -1),
          ),
        ).toBe(true)
      }),
    )
  })

  it('survive the way through a multirange of PostgreSQL', () => {
    fc.assert(
      fc.property(intervals, (list) => {
        const united = uniteIntervals(list)
        expect(fromMultirange(toMultirange(united))).toEqual(united)
      }),
    )
  })

  it('count only within the length of the lesson', () => {
    expect(
      coveredMs(
        [
          [0, 10_000],
          [20_000, 40_000],
        ],
        [0, 30_000],
      ),
    ).toBe(20_000)
  })
})

import { expect, it } from 'vitest'
import { correctStarts } from './use-played-reports'

it('an interval that the browser reports a little late is counted from its real start', () => {
  expect(correctStarts([[310, 3_000]], [0])).toEqual([[0, 3_000]])
  expect(correctStarts([[0, 3_000]], [0])).toEqual([[0, 3_000]])
})

it('a part that was skipped is never counted', () => {
  expect(correctStarts([[60_000, 61_000]], [0])).toEqual([[60_000, 61_000]])

  const played = [
    [0, 5_000],
    [60_200, 61_000],
  ] as const
  expect(correctStarts(played, [0, 60_000])).toEqual([
    [0, 5_000],
    [60_000, 61_000],
  ])
})

it('dragging through a video counts nothing between two positions', () => {
  expect(correctStarts([[10_400, 10_450]], [10_000, 10_410])).toEqual([[10_400, 10_450]])
  expect(correctStarts([[10_700, 11_000]], [10_000, 10_400])).toEqual([[10_400, 11_000]])
  expect(correctStarts([[400, 900]], [])).toEqual([[400, 900]])
})

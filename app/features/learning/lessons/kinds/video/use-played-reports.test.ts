import { expect, it } from 'vitest'
import { playedFromStart } from './use-played-reports'

it('a stretch that the browser counts a little late is counted from where it began', () => {
  expect(playedFromStart([[310, 3_000]], [0])).toEqual([[0, 3_000]])
  expect(playedFromStart([[0, 3_000]], [0])).toEqual([[0, 3_000]])
})

it('what was sought over is never counted', () => {
  expect(playedFromStart([[60_000, 61_000]], [0])).toEqual([[60_000, 61_000]])
  expect(
    playedFromStart(
      [
        [0, 5_000],
        [60_200, 61_000],
      ],
      [0, 60_000],
    ),
  ).toEqual([
    [0, 5_000],
    [60_000, 61_000],
  ])
})

it('dragging through a video counts nothing between two places', () => {
  expect(playedFromStart([[10_400, 10_450]], [10_000, 10_410])).toEqual([[10_400, 10_450]])
  expect(playedFromStart([[10_700, 11_000]], [10_000, 10_400])).toEqual([[10_400, 11_000]])
  expect(playedFromStart([[400, 900]], [])).toEqual([[400, 900]])
})

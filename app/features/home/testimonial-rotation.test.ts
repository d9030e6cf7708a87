import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  cardAfter,
  cardShiftPx,
  isRotating,
  noticeAttention,
  type Rotation,
  startRotation,
  togglePaused,
  trackShiftPx,
} from './testimonial-rotation'

const untouched: Rotation = {
  paused: false,
  resumed: false,
  hovered: false,
  focused: false,
  tabHidden: false,
}

describe('the order of the testimonials', () => {
  test('the card after the last is the first, and the one before the first is the last', () => {
    expect(cardAfter(7, 1, 8)).toBe(0)
    expect(cardAfter(0, -1, 8)).toBe(7)
    expect(cardAfter(3, 1, 8)).toBe(4)
  })

  test('the track shifts 320 px for every card', () => {
    expect([0, 1, 2, 7].map(trackShiftPx)).toEqual([0, -320, -640, -2240])
  })

  test('whichever card leads, every place from the one before it onwards has one card', () => {
    for (let leading = 0; leading < 8; leading++) {
      const places = Array.from(
        { length: 8 },
        (_, card) => card + cardShiftPx(card, leading, 8) / 320,
      )
      expect(places.toSorted((a, b) => a - b)).toEqual(
        Array.from({ length: 8 }, (_, place) => leading - 1 + place),
      )
      expect(places[leading]).toBe(leading)
    }
  })
})

test('of two cards none stands before the leading one', () => {
  expect([0, 1].map((card) => cardShiftPx(card, 1, 2))).toEqual([640, 0])
})

describe('what makes the slider rest', () => {
  test('it rotates when nobody looks closer', () => {
    expect(isRotating(untouched)).toBe(true)
  })

  test.each(['paused', 'hovered', 'focused', 'tabHidden'] as const)(
    'it rests when %s',
    (reason) => {
      expect(isRotating({ ...untouched, [reason]: true })).toBe(false)
    },
  )

  test('play, pressed with the pointer inside, counts at once', () => {
    const playing = togglePaused({ ...untouched, paused: true, hovered: true, focused: true })
    expect(isRotating(playing)).toBe(true)
  })

  test('after the pointer has left, the next visit makes it rest again', () => {
    const playing = togglePaused({ ...untouched, paused: true, hovered: true })
    const left = noticeAttention(playing, { hovered: false })
    expect(isRotating(left)).toBe(true)
    expect(isRotating(noticeAttention(left, { hovered: true }))).toBe(false)
  })

  test('play holds while the pointer or the focus is still inside', () => {
    const playing = togglePaused({ ...untouched, paused: true, hovered: true, focused: true })
    expect(isRotating(noticeAttention(playing, { focused: false }))).toBe(true)
    expect(isRotating(noticeAttention(playing, { hovered: false }))).toBe(true)
  })

  test('pause holds, whatever the pointer does', () => {
    const paused = togglePaused(untouched)
    expect(isRotating(noticeAttention(paused, { hovered: true }))).toBe(false)
    expect(isRotating(noticeAttention(paused, { hovered: false }))).toBe(false)
  })
})

describe('the clock of the slider', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  test('it moves one card every 3000 ms until it is stopped', () => {
    const advance = vi.fn()
    const stop = startRotation(advance)
    vi.advanceTimersByTime(2999)
    expect(advance).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(advance).toHaveBeenCalledTimes(1)
    vi.advanceTimersByTime(6000)
    expect(advance).toHaveBeenCalledTimes(3)
    stop()
    vi.advanceTimersByTime(60_000)
    expect(advance).toHaveBeenCalledTimes(3)
  })
})

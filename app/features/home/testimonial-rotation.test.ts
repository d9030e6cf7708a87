import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  changeAttention,
  getCardShiftPx,
  getRowShiftPx,
  isRotating,
  type Rotation,
  startRotation,
  stepIndex,
  togglePaused,
} from './testimonial-rotation'

const noAttention: Rotation = {
  isPaused: false,
  isResumed: false,
  isHovered: false,
  isFocused: false,
  isTabHidden: false,
}

describe('the order of the testimonials', () => {
  test('the card after the last is the first, and the one before the first is the last', () => {
    expect(stepIndex(7, 1, 8)).toBe(0)
    expect(stepIndex(0, -1, 8)).toBe(7)
    expect(stepIndex(3, 1, 8)).toBe(4)
  })

  test('the row shifts by 320 px for every card', () => {
    expect([0, 1, 2, 7].map(getRowShiftPx)).toEqual([0, -320, -640, -2240])
  })

  test('every position from the one before the leading card on has one card', () => {
    for (let leading = 0; leading < 8; leading++) {
      const positions = Array.from(
        { length: 8 },
        (_, card) => card + getCardShiftPx(card, leading, 8) / 320,
      )
      expect(positions.toSorted((a, b) => a - b)).toEqual(
        Array.from({ length: 8 }, (_, offset) => leading - 1 + offset),
      )
      expect(positions[leading]).toBe(leading)
    }
  })
})

test('with two cards, none stands before the leading one', () => {
  expect([0, 1].map((card) => getCardShiftPx(card, 1, 2))).toEqual([640, 0])
})

describe('when the slider rests', () => {
  test('it rotates without pointer and focus', () => {
    expect(isRotating(noAttention)).toBe(true)
  })

  test.each(['isPaused', 'isHovered', 'isFocused', 'isTabHidden'] as const)(
    'it rests when %s',
    (reason) => {
      expect(isRotating({ ...noAttention, [reason]: true })).toBe(false)
    },
  )

  test('play works at once, even with the pointer inside', () => {
    const playing = togglePaused({
      ...noAttention,
      isPaused: true,
      isHovered: true,
      isFocused: true,
    })
    expect(isRotating(playing)).toBe(true)
  })

  test('after the pointer has left, it rests when the pointer enters again', () => {
    const playing = togglePaused({ ...noAttention, isPaused: true, isHovered: true })
    const afterLeaving = changeAttention(playing, { isHovered: false })

    expect(isRotating(afterLeaving)).toBe(true)
    expect(isRotating(changeAttention(afterLeaving, { isHovered: true }))).toBe(false)
  })

  test('play lasts while the pointer or the focus is still inside', () => {
    const playing = togglePaused({
      ...noAttention,
      isPaused: true,
      isHovered: true,
      isFocused: true,
    })

    expect(isRotating(changeAttention(playing, { isFocused: false }))).toBe(true)
    expect(isRotating(changeAttention(playing, { isHovered: false }))).toBe(true)
  })

  test('pause lasts, whatever the pointer does', () => {
    const paused = togglePaused(noAttention)

    expect(isRotating(changeAttention(paused, { isHovered: true }))).toBe(false)
    expect(isRotating(changeAttention(paused, { isHovered: false }))).toBe(false)
  })
})

describe('the timer of the slider', () => {
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

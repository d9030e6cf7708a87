import { describe, expect, test } from 'vitest'
import { createPacer } from './globe-pace'

/** Frames drawn in one second on a screen of 60 Hz, each ready `workMs` after it was begun. */
function framesInASecond(workMs: number): number {
  const pacer = createPacer()
  let frames = 0
  let readyAt: number | null = null
  for (let now = 0; now < 990; now += 1000 / 60) {
    if (readyAt !== null && now < readyAt) continue
    if (readyAt !== null) pacer.finished(now)
    readyAt = null
    if (!pacer.isDue(now)) continue
    pacer.started(now)
    readyAt = now + workMs
    frames += 1
  }
  return frames
}

describe('the pace of the globe', () => {
  test('a quick machine draws thirty frames a second, not sixty', () => {
    expect(framesInASecond(4)).toBe(30)
  })

  test('a slow machine rests twice as long as it draws', () => {
    expect(framesInASecond(100)).toBeLessThanOrEqual(4)
    expect(framesInASecond(100)).toBeGreaterThanOrEqual(3)
  })

  test('a slow machine draws nothing for a second after a press, a quick one goes on', () => {
    for (const [workMs, dueAt] of [
      [100, 1050],
      [4, 100],
    ] as const) {
      const pacer = createPacer()
      pacer.started(0)
      pacer.finished(workMs)
      pacer.started(40)
      pacer.pressed(50)
      pacer.finished(40 + workMs)
      expect(pacer.isDue(dueAt - 50)).toBe(false)
      expect(pacer.isDue(dueAt)).toBe(true)
    }
  })
})

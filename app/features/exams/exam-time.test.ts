import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { movedItem, withItemAt } from './exam-ordering'
import { announcementAt, isOver, pausedSeconds } from './exam-time'

describe('the time of an exam', () => {
  it('is over some seconds after the deadline, for what was on its way', () => {
    const deadlineAt = new Date('2026-11-20T12:00:00Z')
    expect(isOver({ deadlineAt }, new Date('2026-11-20T12:00:05Z'))).toBe(false)
    expect(isOver({ deadlineAt }, new Date('2026-11-20T12:00:05.001Z'))).toBe(true)
    expect(isOver({ deadlineAt: null }, new Date('2030-01-01'))).toBe(false)
  })

  it('stands still during maintenance: as much is left when it ends as when it began', () => {
    const ms = fc.integer({ min: 0, max: 7_200_000 })
    fc.assert(
      fc.property(ms, ms, ms, ms, (startedMs, limitMs, sinceMs, lastsMs) => {
        const [startedAt, since] = [new Date(startedMs), new Date(sinceMs)]
        const now = new Date(Math.max(startedMs, sinceMs) + lastsMs)
        const deadline = startedMs + limitMs
        const deadlineAt = new Date(deadline)
        fc.pre(!isOver({ deadlineAt }, since))
        const moved = deadline + pausedSeconds({ startedAt, deadlineAt }, since, now) * 1000
        const left = moved - now.getTime()
        const before = deadline - Math.max(startedMs, sinceMs)
        expect(left).toBeGreaterThanOrEqual(before)
        expect(left).toBeLessThan(before + 1_000)
      }),
    )
    const attempt = { startedAt: new Date(5_000), deadlineAt: new Date(60_000) }
    const clockSetBack = pausedSeconds(attempt, new Date(9_000), new Date(1_000))
    expect(clockSetBack).toBe(0)
  })

  it('that was over before maintenance began stays over', () => {
    const attempt = { startedAt: new Date(0), deadlineAt: new Date(60_000) }
    expect(pausedSeconds(attempt, new Date(65_001), new Date(90_000))).toBe(0)
    expect(pausedSeconds(attempt, new Date(65_000), new Date(90_000))).toBe(25)
  })

  it('is said at 5 minutes, at 1 minute and at its end, once each', () => {
    const said: string[] = []
    for (let left = 400; left > 0; left -= 1) {
      const sentence = announcementAt(left, left - 1)
      if (sentence) said.push(sentence)
    }
    expect(said).toEqual(['5 minutes left.', '1 minute left.', 'Time’s up. Your answers are being submitted.'])
  })

  it('is said once for a browser that slept over several marks', () => {
    expect(announcementAt(400, 30)).toBe('1 minute left.')
    expect(announcementAt(30, 29)).toBeNull()
  })
})

describe('bringing items into order', () => {
  it('moves one item up or down and nothing beyond the ends', () => {
    expect(movedItem([2, 0, 1], '1:up')).toEqual([0, 2, 1])
    expect(movedItem([2, 0, 1], '1:down')).toEqual([2, 1, 0])
    expect(movedItem([2, 0, 1], '0:up')).toEqual([2, 0, 1])
    expect(movedItem([2, 0, 1], '2:down')).toEqual([2, 0, 1])
    expect(movedItem([2, 0, 1], 'keep')).toEqual([2, 0, 1])
    expect(movedItem([2, 0, 1], '9:up')).toEqual([2, 0, 1])
  })

  it('puts a dragged item where it is dropped', () => {
    expect(withItemAt([0, 1, 2, 3], 3, 0)).toEqual([3, 0, 1, 2])
    expect(withItemAt([0, 1, 2, 3], 0, 2)).toEqual([1, 2, 0, 3])
  })
})

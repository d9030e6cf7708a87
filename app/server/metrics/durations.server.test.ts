import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Durations, durationBounds } from './durations.server'

it('each duration counts once, under the least bound that it does not exceed', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 100, noNaN: true }), (seconds) => {
      const durations = new Durations()
      durations.note(seconds)
      const place = durations.counts.indexOf(1)
      expect(durations.counts.reduce((sum, count) => sum + count)).toBe(1)
      expect(seconds).toBeLessThanOrEqual(durationBounds[place] ?? Number.POSITIVE_INFINITY)
      if (place > 0) expect(seconds).toBeGreaterThan(durationBounds[place - 1] ?? 0)
      expect(durations.sum).toBe(seconds)
    }),
  )
})

import { describe, expect, it } from 'vitest'
import { cueAt, cueMatches } from './transcript-panel'

describe('a transcript', () => {
  it('follows the video, also between two cues', () => {
    const cues = [
      { start: 1, end: 2, text: 'a' },
      { start: 4, end: 5, text: 'b' },
    ]
    expect([0, 1, 3, 4, 9].map((seconds) => cueAt(cues, seconds))).toEqual([-1, 0, 0, 1, 1])
  })

  it('is searched whatever the case and the accents', () => {
    expect(cueMatches({ start: 0, end: 1, text: 'Später mehr.' }, ' SPATER')).toBe(true)
    expect(cueMatches({ start: 0, end: 1, text: 'Später mehr.' }, 'früher')).toBe(false)
    expect(cueMatches({ start: 0, end: 1, text: 'Well – yes.' }, '“well - yes”')).toBe(true)
    expect(cueMatches({ start: 0, end: 1, text: 'It’s\u00A0here.' }, "it's here")).toBe(true)
  })
})

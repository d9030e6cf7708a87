import { describe, expect, it } from 'vitest'
import { findCueIndex, isMatch } from './transcript-panel'

describe('a transcript', () => {
  it('follows the video, also between two cues', () => {
    const cues = [
      { start: 1, end: 2, text: 'a' },
      { start: 4, end: 5, text: 'b' },
    ]

    expect(findCueIndex(cues, 0)).toBe(-1)
    expect(findCueIndex(cues, 1)).toBe(0)
    expect(findCueIndex(cues, 3)).toBe(0)
    expect(findCueIndex(cues, 4)).toBe(1)
    expect(findCueIndex(cues, 9)).toBe(1)
  })

  it.each([
    ['Später mehr.', ' SPATER', true],
    ['Später mehr.', 'früher', false],
    ['Well – yes.', '“well - yes”', true],
    ['It’s\u00A0here.', "it's here", true],
  ])('with the text %j matches the search for %j: %s', (text, search, expected) => {
    expect(isMatch({ start: 0, end: 1, text }, search)).toBe(expected)
  })
})

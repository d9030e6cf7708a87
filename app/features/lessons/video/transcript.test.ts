import { describe, expect, it } from 'vitest'
import { cueAt, cueMatches, parseTranscript } from './transcript'

const vtt = `WEBVTT - a title

NOTE made by hand

1
00:00.000 --> 00:05.000 align:start
A name is <b>not</b> a box.
It &amp; a value.

01:00:05.500 --> 01:00:07.250
Später mehr.
`

describe('a transcript', () => {
  it('is read from WebVTT, without styles, notes and numbers', () => {
    expect(parseTranscript(vtt.replaceAll('\n', '\r\n'))).toEqual([
      { start: 0, end: 5, text: 'A name is not a box. It & a value.' },
      { start: 3605.5, end: 3607.25, text: 'Später mehr.' },
    ])
    expect(parseTranscript('')).toEqual([])
  })

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
  })
})

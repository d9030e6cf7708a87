import { describe, expect, it } from 'vitest'
import { parseWebVtt } from './webvtt.server'

const texts = (vtt: string) => parseWebVtt(vtt).map(({ text }) => text)

/** Cues of five seconds, one after the other. */
const inTurn = (...cues: string[]) =>
  `WEBVTT\n\n${cues.map((text, index) => `00:${10 + index * 5}.000 --> 00:${15 + index * 5}.000\n${text}`).join('\n\n')}\n`

const vtt = `WEBVTT - a title

STYLE
::cue { color: lime }

NOTE made by hand

1
00:00.000 --> 00:05.000 align:start
A name is <b>not</b> a box.
It &amp; a value.

01:00:05.500 --> 01:00:07.250
Später mehr.
`

const cues = [
  { start: 0, end: 5, text: 'A name is not a box. It & a value.' },
  { start: 3605.5, end: 3607.25, text: 'Später mehr.' },
]

describe('a WebVTT file', () => {
  it.each([
    ['LF', '\n'],
    ['CR LF', '\r\n'],
    ['CR', '\r'],
  ])(
    'is read with %s at the end of its lines, without styles, notes and identifiers',
    (_name, end) => {
      expect(parseWebVtt(vtt.replaceAll('\n', end))).toEqual(cues)
    },
  )

  it('may begin with a byte order mark, and may be empty', () => {
    expect(parseWebVtt(`\uFEFF${vtt}`)).toEqual(cues)
    expect(parseWebVtt('\uFEFFWEBVTT\n00:01.000 --> 00:02.000\nAt once.')).toHaveLength(1)
    expect(parseWebVtt('')).toEqual([])
  })

  it('needs no empty line between two cues', () => {
    expect(
      texts('WEBVTT\n\n00:01.000 --> 00:02.000\nOne.\n00:02.000 --> 00:03.000\nTwo.\n'),
    ).toEqual(['One.', 'Two.'])
  })

  it('skips a cue with unreadable times', () => {
    expect(texts('WEBVTT\n\n1 --> 2\nOne.\n\n00:02.000 --> 00:03.000\nTwo.\n')).toEqual(['Two.'])
  })

  it('is read like browsers read it if its hours have one digit', () => {
    expect(parseWebVtt('WEBVTT\n\n1:00:05.500 --> 1:00:07.250\nLater.\n')).toEqual([
      { start: 3605.5, end: 3607.25, text: 'Later.' },
    ])
    expect(texts('WEBVTT\n\n1:05.500 --> 1:07.250\nLater.\n')).toEqual([])
  })

  it('is in order of time', () => {
    expect(
      texts('WEBVTT\n\n00:05.000 --> 00:06.000\nTwo.\n\n00:01.000 --> 00:02.000\nOne.\n'),
    ).toEqual(['One.', 'Two.'])
  })
})

describe('the text of a cue', () => {
  it.each([
    ['Tom &amp; Ida &lt;3&nbsp;&#x1F600; caf&eacute;', 'Tom & Ida <3 😀 café'],
    ['&amp;lt;b&amp;gt;', '&lt;b&gt;'],
    ['<c.loud><00:11.000>Hello</c> <i>there</i>', 'Hello there'],
    ['a <b\nclass>b</b>', 'a b'],
  ])('%j is read as %j', (markup, text) => {
    expect(texts(inTurn(markup))).toEqual([text])
  })

  it('names each voice', () => {
    const markup = '<v Ida>Hello.</v>\n<v.loud Bob &amp; Co>Hi!'
    expect(texts(inTurn(markup))).toEqual(['Ida: Hello. Bob & Co: Hi!'])
  })

  it.each(['<v ', '<v.', ' '])('is read quickly even if %j is repeated in a tag', (part) => {
    expect(texts(inTurn(`Hello. <v${part.repeat(100_000)}`))).toEqual(['Hello.'])
  })
})

describe('rolling captions', () => {
  it('are read once', () => {
    expect(texts(inTurn('one', 'one\ntwo', 'two\nthree', 'two\nthree', 'three\nfour'))).toEqual([
      'one',
      'two',
      'three',
      'four',
    ])
  })

  it('are those that follow at once: what is said again later is read again', () => {
    const later = 'WEBVTT\n\n00:01.000 --> 00:02.000\nNo.\n\n00:05.000 --> 00:06.000\nNo.\n'
    expect(texts(later)).toEqual(['No.', 'No.'])
  })
})

import { describe, expect, it } from 'vitest'
import { formatTerminalLine } from './terminal-line.server'

const time = new Date(2026, 10, 28, 14, 5, 9).getTime()
const format = (fields: Record<string, unknown>) =>
  formatTerminalLine(JSON.stringify({ level: 30, time, ...fields }))

describe('a line of the log on a terminal', () => {
  it('has the time, the message and the fields, but not the number of the request', () => {
    expect(
      format({ requestId: 'x1', method: 'GET', path: '/AllCourses', status: 200, msg: 'request' }),
    ).toBe('14:05:09  request  method=GET  path=/AllCourses  status=200\n')
  })

  it.each([
    [40, '14:05:09  WARNING  slow request\n'],
    [50, '14:05:09  ERROR  slow request\n'],
    [60, '14:05:09  ERROR  slow request\n'],
  ])('names level %i', (level, expected) => {
    expect(format({ level, msg: 'slow request' })).toBe(expected)
  })

  it('quotes values that could move the cursor', () => {
    expect(format({ path: '/\u001b[2J', msg: 'request' })).toBe(
      '14:05:09  request  path="/\\u001b[2J"\n',
    )
  })

  it('shows control characters of a message, except line breaks, without obeying them', () => {
    expect(format({ msg: 'problems:\n  \u001b[2Ja\u009bb\rc.yaml:1', path: '\u009b' })).toBe(
      '14:05:09  problems:\n  \\u001b[2Ja\\u009bb\\u000dc.yaml:1  path="\\u009b"\n',
    )
  })

  it('shows the stack of an error on lines of its own', () => {
    const err = { type: 'Error', message: 'no route', stack: '    at a.ts:1\n    at b.ts:2' }
    expect(format({ level: 50, msg: 'unexpected error', err })).toBe(
      '14:05:09  ERROR  unexpected error\n    type=Error  message="no route"\n    at a.ts:1\n    at b.ts:2\n',
    )
  })
})

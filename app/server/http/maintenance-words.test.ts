import { describe, expect, it } from 'vitest'
import { refusalSentence } from '~/ui/connection'
import { longestMessage, maintenanceSentence, readUntil, retryAfterSeconds } from './maintenance-words'

const now = new Date('2026-11-22T13:00:00Z')
const at = (until: string | null, message: string | null = null) => ({ until, message })

describe('what visitors read in maintenance', () => {
  it('names the time to come back at, until it has passed', () => {
    expect(maintenanceSentence(at('2026-11-22T15:30:00Z'), now)).toBe(
      'Learnify is under maintenance. You can still browse courses, but nothing can be saved right now. Please try again after Nov 22, 3:30 PM UTC.',
    )
    for (const message of ['We’re moving.', 'We’re moving'])
      expect(maintenanceSentence(at('2026-11-22T12:00:00Z', message), now)).toBe(
        'We’re moving. Please try again in a few minutes.',
      )
  })

  it('is short enough for every form, also with the longest message', () => {
    const sentence = maintenanceSentence(at('2026-11-22T22:30:00Z', 'x'.repeat(longestMessage)), now)
    expect(refusalSentence({ status: 503, data: sentence })).toBe(sentence)
  })

  it('asks browsers back when it is over, and in a minute at the earliest', () => {
    expect(retryAfterSeconds(at('2026-11-22T13:10:00Z'), now)).toBe('600')
    expect(retryAfterSeconds(at('2026-11-22T13:00:10Z'), now)).toBe('60')
    expect(retryAfterSeconds(at(null), now)).toBe('60')
  })
})

describe('--until', () => {
  it('is the next time of day by this machine’s clock, or a moment', () => {
    const midnight = new Date(2026, 10, 22, 23, 0)
    expect(readUntil('23:30', midnight)).toEqual(new Date(2026, 10, 22, 23, 30))
    expect(readUntil('1:15', midnight)).toEqual(new Date(2026, 10, 23, 1, 15))
    expect(readUntil('2026-11-22T15:30+01:00', now)).toEqual(new Date('2026-11-22T14:30:00Z'))
  })

  it.each(['', 'soon', '25:00', '2026-11-22', '2026-11-22T15:30', '2026-11-22T12:59Z', '2026-99-22T12:59Z'])(
    'is refused as %j',
    (text) => expect(readUntil(text, now)).toBeNull(),
  )
})

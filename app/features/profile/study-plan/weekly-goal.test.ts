import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addDays } from '~/features/learning/progress/study-time'
import { goalSentence, weekdayOf, weekProgress } from './weekly-goal'

const someDay = fc.integer({ min: 0, max: 4000 }).map((days) => addDays('2024-01-01', days))
const weekdays = fc
  .uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 })
  .map((days) => days.toSorted())

describe('the week of a goal', () => {
  it('runs from Monday to Sunday around today, and knows rest days from missed ones', () => {
    const { days, ...standing } = weekProgress(
      [1, 2, 4, 5],
      ['2026-11-22', '2026-11-23', '2026-11-25'],
      '2026-11-26',
    )

    expect(days.map(({ day, state }) => `${day.slice(-2)} ${state}`)).toEqual([
      '23 learned',
      '24 missed',
      '25 learned',
      '26 today',
      '27 planned',
      '28 rest',
      '29 rest',
    ])

    expect(standing).toEqual({ learned: 2, goal: 4, met: false, restToday: false })
  })

  it('counts every day of learning of this week, rest days too, and no other', () => {
    fc.assert(
      fc.property(
        weekdays,
        someDay,
        fc.array(fc.integer({ min: -20, max: 20 })),
        (planned, today, offsets) => {
          const learnedDays = offsets.map((days) => addDays(today, days))
          const monday = addDays(today, 1 - weekdayOf(today))
          const inWeek = new Set(
            learnedDays.filter((day) => day >= monday && day <= addDays(monday, 6)),
          )
          const standing = weekProgress(planned, learnedDays, today)
          expect(standing.days.map(({ day }) => weekdayOf(day))).toEqual([1, 2, 3, 4, 5, 6, 7])
          expect(standing.days.some(({ day }) => day === today)).toBe(true)
          expect(standing.learned).toBe(inWeek.size)
          expect(standing.met).toBe(inWeek.size >= planned.length)
        },
      ),
    )
  })
})

it.each([
  ['2026-11-24', ['2026-11-23', '2026-11-24'], 'Study 2 more days this week to reach your goal.'],
  [
    '2026-11-25',
    ['2026-11-23'],
    'Today’s a rest day. Study 3 more days this week to reach your goal.',
  ],
  [
    '2026-11-26',
    ['2026-11-23'],
    'Study a little today and on 2 more days this week to reach your goal.',
  ],
  [
    '2026-11-27',
    ['2026-11-23', '2026-11-24', '2026-11-26'],
    'Study a little today to reach your goal.',
  ],
  ['2026-11-29', [], 'A new week starts on Monday.'],
  [
    '2026-11-29',
    ['2026-11-23', '2026-11-24', '2026-11-25', '2026-11-26'],
    'You’ve reached your goal this week.',
  ],
])('on %s, after %o, the goal of four days says: %s', (today, learned, sentence) => {
  expect(goalSentence(weekProgress([1, 2, 4, 5], learned, today), today)).toBe(sentence)
})

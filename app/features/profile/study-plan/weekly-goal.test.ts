import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addDays } from '~/features/learning/progress/study-time'
import { computeWeekProgress, describeWeekProgress, getWeekday } from './weekly-goal'

const someDay = fc.integer({ min: 0, max: 4000 }).map((days) => addDays('2024-01-01', days))
const weekdays = fc
  .uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 })
  .map((days) => days.toSorted())

describe('the progress toward a weekly goal', () => {
  it('covers Monday to Sunday and distinguishes rest days from missed days', () => {
    const { days, ...progress } = computeWeekProgress(
      [1, 2, 4, 5],
      ['2026-11-22', '2026-11-23', '2026-11-25'],
      '2026-11-26',
    )

    expect(days.map(({ day, status }) => `${day.slice(-2)} ${status}`)).toEqual([
      '23 studied',
      '24 missed',
      '25 studied',
      '26 today',
      '27 planned',
      '28 rest',
      '29 rest',
    ])

    expect(progress).toEqual({ studiedCount: 2, goal: 4, isMet: false, isRestDay: false })
  })

  it('counts every study day of this week, including rest days', () => {
    fc.assert(
      fc.property(
        weekdays,
        someDay,
        fc.array(fc.integer({ min: -20, max: 20 })),
        (planned, today, offsets) => {
          const studiedDays = offsets.map((days) => addDays(today, days))
          const monday = addDays(today, 1 - getWeekday(today))
          const inWeek = new Set(
            studiedDays.filter((day) => day >= monday && day <= addDays(monday, 6)),
          )
          const progress = computeWeekProgress(planned, studiedDays, today)
          expect(progress.days.map(({ day }) => getWeekday(day))).toEqual([1, 2, 3, 4, 5, 6, 7])
          expect(progress.days.some(({ day }) => day === today)).toBe(true)
          expect(progress.studiedCount).toBe(inWeek.size)
          expect(progress.isMet).toBe(inWeek.size >= planned.length)
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
])('on %s, after studying on %o, a goal of four days reads: %s', (today, studiedDays, sentence) => {
  expect(describeWeekProgress(computeWeekProgress([1, 2, 4, 5], studiedDays, today), today)).toBe(
    sentence,
  )
})

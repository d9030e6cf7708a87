import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addDays, localDay } from '~/features/learning/progress/study-time'
import {
  getLocalTime,
  getNextReminderTime,
  isReminderDue,
  type ReminderSchedule,
  reminderHours,
} from './reminder'
import { getWeekday, type StudyPlan } from './weekly-goal'

const zones = [
  'UTC',
  'America/Los_Angeles',
  'America/New_York',
  'Europe/Berlin',
  'Asia/Kathmandu',
  'Pacific/Auckland',
  'Pacific/Kiritimati',
]
const timeZone = fc.constantFrom(...zones)
const time = fc.date({
  min: new Date('2024-01-01'),
  max: new Date('2028-01-01'),
  noInvalidDate: true,
})
const hour = fc.constantFrom(...reminderHours)

const createSchedule = (changes: Partial<ReminderSchedule> = {}): ReminderSchedule => ({
  plan: { weekdays: [1, 3, 5], reminderHour: 18 },
  timeZone: 'Europe/Berlin',
  studiedDays: [],
  remindedAt: null,
  ...changes,
})
const hourMs = 3_600_000

/** Checks every hour for 16 days. The learner travels to the next time zone every two days. */
function simulateReminders(travels: readonly string[], start: Date, plan: StudyPlan) {
  const reminders: { at: Date; zone: string }[] = []
  for (let hour = 0; hour < 24 * 16; hour++) {
    const at = new Date(start.getTime() + hour * hourMs)
    const zone = travels[Math.floor(hour / 48) % travels.length] ?? 'UTC'
    const remindedAt = reminders.at(-1)?.at ?? null
    if (isReminderDue({ plan, timeZone: zone, studiedDays: [], remindedAt }, at)) {
      reminders.push({ at, zone })
    }
  }

  return reminders
}

/** Wednesday, November 25, 2026, 18:30 in Berlin. */
const evening = new Date('2026-11-25T17:30:00Z')

describe('a reminder', () => {
  it('is due in the evening of a study day', () => {
    expect(isReminderDue(createSchedule(), evening)).toBe(true)
  })

  it.each<[string, Partial<ReminderSchedule>, Date?]>([
    ['without reminders', { plan: { weekdays: [3], reminderHour: null } }],
    ['before its hour', {}, new Date('2026-11-25T16:59:00Z')],
    ['three hours late', {}, new Date('2026-11-25T20:00:00Z')],
    ['on a rest day', { plan: { weekdays: [1, 2, 4, 5], reminderHour: 18 } }],
    ['on a day already studied', { studiedDays: ['2026-11-25'] }],
    [
      'once the week’s goal is reached',
      {
        studiedDays: ['2026-11-22', '2026-11-23', '2026-11-24'],
        plan: { weekdays: [1, 3], reminderHour: 18 },
      },
    ],
    ['twice a day', { remindedAt: new Date('2026-11-25T17:00:00Z') }],
    ['in another time zone’s evening', { timeZone: 'America/Los_Angeles' }],
  ])('is not due %s', (_, changes, now = evening) => {
    expect(isReminderDue(createSchedule(changes), now)).toBe(false)
  })

  it('is due the next morning if the learner has changed its hour from 18 to 8', () => {
    const plan = { weekdays: [3, 4], reminderHour: 8 }
    const schedule = createSchedule({ plan, remindedAt: evening })

    expect(isReminderDue(schedule, new Date('2026-11-26T07:00:00Z'))).toBe(true)
  })

  it('is sent on study days only, at most once a day and 12 hours apart, in every time zone', () => {
    const week = fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 })
    fc.assert(
      fc.property(
        fc.array(timeZone, { minLength: 1, maxLength: 8 }),
        time,
        hour,
        week,
        (travels, start, reminderHour, weekdays) => {
          const reminders = simulateReminders(travels, start, { weekdays, reminderHour })

          for (const { at, zone } of reminders) {
            expect(weekdays).toContain(getWeekday(localDay(at, zone)))
          }

          for (const [index, { at, zone }] of reminders.slice(1).entries()) {
            const previous = reminders[index]?.at ?? at
            expect(at.getTime() - previous.getTime()).toBeGreaterThanOrEqual(12 * hourMs)
            expect(localDay(previous, zone)).not.toBe(localDay(at, zone))
          }

          if (travels.length === 1) {
            expect(reminders.length).toBeGreaterThanOrEqual(weekdays.length * 2 - 1)
          }
        },
      ),
      { numRuns: 40 },
    )
  })
})

describe('the next check for a reminder', () => {
  it('is at the next hour that the learner chose, even across a change to daylight saving time', () => {
    fc.assert(
      fc.property(timeZone, time, hour, (zone, now, reminderHour) => {
        const nextCheck = getNextReminderTime(reminderHour, zone, now)
        expect(nextCheck.getTime()).toBeGreaterThan(now.getTime())
        expect(nextCheck.getTime() - now.getTime()).toBeLessThanOrEqual(25 * hourMs)
        expect(getLocalTime(nextCheck, zone)).toEqual({ hour: reminderHour, minute: 0 })
      }),
    )
  })

  it.each([
    ['2026-03-28T18:00:00Z', '2026-03-29T16:00:00.000Z'],
    ['2026-10-24T17:00:00Z', '2026-10-25T17:00:00.000Z'],
  ])(
    'after %s in Berlin, across a change to or from daylight saving time, is at %s',
    (now, next) => {
      expect(getNextReminderTime(18, 'Europe/Berlin', new Date(now)).toISOString()).toBe(next)
      expect(addDays(now.slice(0, 10), 1)).toBe(next.slice(0, 10))
    },
  )
})

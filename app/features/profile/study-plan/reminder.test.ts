import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addDays, localDay } from '~/features/learning/progress/study-time'
import { isReminderDue, localTime, nextLook, type ReminderFacts, reminderHours } from './reminder'
import { weekdayOf } from './weekly-goal'

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
const moment = fc.date({
  min: new Date('2024-01-01'),
  max: new Date('2028-01-01'),
  noInvalidDate: true,
})
const hour = fc.constantFrom(...reminderHours)

const berlin = (over: Partial<ReminderFacts> = {}): ReminderFacts => ({
  plan: { weekdays: [1, 3, 5], reminderHour: 18 },
  timeZone: 'Europe/Berlin',
  learnedDays: [],
  remindedAt: null,
  ...over,
})
/** Wednesday, November 25, 2026, 18:30 in Berlin. */
const evening = new Date('2026-11-25T17:30:00Z')

describe('a reminder', () => {
  it('is due in the evening of a day of the plan', () => {
    expect(isReminderDue(berlin(), evening)).toBe(true)
  })

  it.each<[string, Partial<ReminderFacts>, Date?]>([
    ['without reminders', { plan: { weekdays: [3], reminderHour: null } }],
    ['before its hour', {}, new Date('2026-11-25T16:59:00Z')],
    ['three hours late', {}, new Date('2026-11-25T20:00:00Z')],
    ['on a rest day', { plan: { weekdays: [1, 2, 4, 5], reminderHour: 18 } }],
    ['on a day already studied', { learnedDays: ['2026-11-25'] }],
    [
      'once the week’s goal is reached',
      {
        learnedDays: ['2026-11-22', '2026-11-23', '2026-11-24'],
        plan: { weekdays: [1, 3], reminderHour: 18 },
      },
    ],
    ['twice a day', { remindedAt: new Date('2026-11-25T17:00:00Z') }],
    ['in another time zone’s evening', { timeZone: 'America/Los_Angeles' }],
  ])('is not due %s', (_, facts, now = evening) => {
    expect(isReminderDue(berlin(facts), now)).toBe(false)
  })

  it('comes at most once a day of the learner’s and 20 hours apart, only on days of the plan, by any clock', () => {
    const week = fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 })
    fc.assert(
      fc.property(
        fc.array(timeZone, { minLength: 1, maxLength: 8 }),
        moment,
        hour,
        week,
        (travels, start, reminderHour, weekdays) => {
          const sent: { at: Date; zone: string }[] = []
          const plan = { weekdays, reminderHour }
          for (let step = 0; step < 24 * 16; step++) {
            const at = new Date(start.getTime() + step * 3_600_000)
            const zone = travels[Math.floor(step / 48) % travels.length] ?? 'UTC'
            const facts = {
              plan,
              timeZone: zone,
              learnedDays: [],
              remindedAt: sent.at(-1)?.at ?? null,
            }

            if (isReminderDue(facts, at)) {
              sent.push({ at, zone })
            }
          }

          for (const [index, { at, zone }] of sent.entries()) {
            expect(weekdays).toContain(weekdayOf(localDay(at, zone)))
            const before = sent[index - 1]
            if (!before) {
              continue
            }

            expect(at.getTime() - before.at.getTime()).toBeGreaterThanOrEqual(20 * 3_600_000)
            expect(localDay(before.at, zone)).not.toBe(localDay(at, zone))
          }

          if (travels.length === 1) {
            expect(sent.length).toBeGreaterThanOrEqual(weekdays.length * 2 - 1)
          }
        },
      ),
      { numRuns: 40 },
    )
  })
})

describe('the next look', () => {
  it('is the next full hour that the learner chose, also when the clocks change on the way', () => {
    fc.assert(
      fc.property(timeZone, moment, hour, (zone, now, reminderHour) => {
        const look = nextLook(reminderHour, zone, now)
        expect(look.getTime()).toBeGreaterThan(now.getTime())
        expect(look.getTime() - now.getTime()).toBeLessThanOrEqual(25 * 3_600_000)
        expect(localTime(look, zone)).toEqual({ hour: reminderHour, minute: 0 })
      }),
    )
  })

  it.each([
    ['2026-03-28T18:00:00Z', '2026-03-29T16:00:00.000Z'],
    ['2026-10-24T17:00:00Z', '2026-10-25T17:00:00.000Z'],
  ])('after %s in Berlin, over the night in which the clocks change, is %s', (now, next) => {
    expect(nextLook(18, 'Europe/Berlin', new Date(now)).toISOString()).toBe(next)
    expect(addDays(now.slice(0, 10), 1)).toBe(next.slice(0, 10))
  })
})

import { zonedFormat } from '~/ui/format-date'
import { type Interval, uniteIntervals } from './watched-intervals'

export type StudyDay = {
  /** Like 2026-11-20, in the learner's time zone. */
  day: string
  /** Whole, rounded down. */
  minutes: number
  /** Some time was spent, even less than a minute, so the day counts in a streak. */
  learned: boolean
}

/** Hours of learning with one decimal, rounded down: 7 min are 0.1 h. */
export function studyHours(seconds: number): number {
  return Math.floor(seconds / 360) / 10
}

/** `day` moved by whole days; both like 2026-11-20. */
export function addDays(day: string, days: number): string {
  const date = new Date(`${day}T00:00:00Z`)
  date.setUTCDate(date.getUTCDate() + days)
  return date.toISOString().slice(0, 10)
}

const dayMs = 86_400_000
const calendars = new Map<string, Intl.DateTimeFormat>()

/** The day that `now` is in a time zone, like 2026-11-20. @param timeZone IANA name. */
export function localDay(now: Date | number, timeZone: string): string {
  const calendar = calendars.get(timeZone) ?? zonedFormat(timeZone, { dateStyle: 'short' }, 'en-CA')
  calendars.set(timeZone, calendar)
  return calendar.format(now)
}

/**
 * Which times of learning belong to which day, cut at the midnights of a time zone.
 *
 * @param studied in milliseconds since 1970.
 */
export function splitByDay(
  studied: readonly Interval[],
  timeZone: string,
): { day: string; studied: Interval[] }[] {
  const days = new Map<string, Interval[]>()
  for (const [start, end] of uniteIntervals(studied)) {
    for (let from = start; from < end; ) {
      const day = localDay(from, timeZone)
      const to = endOfDay(from, Math.min(end, from + dayMs), timeZone)
      days.set(day, [...(days.get(day) ?? []), [from, to]])
      from = to
    }
  }

  return [...days].map(([day, times]) => ({ day, studied: uniteIntervals(times) }))
}

/** The first instant after `from` that is on another day, but at most `end`. */
function endOfDay(from: number, end: number, timeZone: string): number {
  const day = localDay(from, timeZone)
  if (localDay(end - 1, timeZone) === day) {
    return end
  }

  let [same, other] = [from, end - 1]
  while (other - same > 1) {
    const middle = Math.floor((same + other) / 2)
    if (localDay(middle, timeZone) === day) {
      same = middle
    } else {
      other = middle
    }
  }

  return other
}

/**
 * Every day of the `days` up to `today`, oldest first, with zero minutes where nothing was studied.
 */
export function fillDays(
  studied: readonly Omit<StudyDay, 'learned'>[],
  today: string,
  days: number,
): StudyDay[] {
  const minutesByDay = new Map(studied.map(({ day, minutes }) => [day, minutes]))
  return Array.from({ length: days }, (_, index) => {
    const day = addDays(today, index - days + 1)
    return { day, minutes: minutesByDay.get(day) ?? 0, learned: minutesByDay.has(day) }
  })
}

/**
 * Lengths of the streaks: days in a row on which the learner studied, however shortly. The
 * dashboard and the achievement Consistent Learner count by this.
 *
 * @param days on which the learner studied, like 2026-11-20, ascending.
 */
function streaksOf(days: readonly string[]): { lastDay: string; length: number }[] {
  const streaks: { lastDay: string; length: number }[] = []
  let dayBefore = Number.NaN
  for (const day of days) {
    const latest = streaks.at(-1)
    const number = dayNumber(day)
    if (latest && number === dayBefore + 1) {
      Object.assign(latest, { lastDay: day, length: latest.length + 1 })
    } else {
      streaks.push({ lastDay: day, length: 1 })
    }

    dayBefore = number
  }

  return streaks
}

/** Days since 1970; a thousand of them take no time, unlike calendars. */
function dayNumber(day: string): number {
  return Date.parse(day) / 86_400_000
}

/**
 * The streak up to today, in days; one that reached yesterday still counts, because today is not
 * over.
 */
export function getCurrentStreakDays(days: readonly string[], today: string): number {
  const latest = streaksOf(days).at(-1)
  return latest && latest.lastDay >= addDays(today, -1) ? latest.length : 0
}

export function getLongestStreakDays(days: readonly string[]): number {
  return Math.max(0, ...streaksOf(days).map(({ length }) => length))
}

/**
 * Days in a row that are celebrated when a streak reaches them, and that Consistent Learner leads
 * on to.
 */
export const streakSteps = [3, 7, 14, 30, 60, 100, 365] as const

/**
 * The step that a streak has just reached: today, or yesterday by a report that was late. Older
 * ones are no news.
 *
 * @returns its days in a row, and the day that completed them.
 */
export function findReachedStreakStep(
  days: readonly string[],
  today: string,
): { days: number; reachedOn: string } | null {
  const length = getCurrentStreakDays(days, today)
  const step = streakSteps.findLast((goal) => goal <= length)
  const lastDay = days.at(-1)
  if (step === undefined || lastDay === undefined) {
    return null
  }

  const reachedOn = addDays(lastDay, step - length)

  return reachedOn >= addDays(today, -1) ? { days: step, reachedOn } : null
}

/**
 * Study time by day. Days are texts like "2026-11-20" in the learner's time zone. Times are
 * milliseconds since 1970.
 */
import { zonedFormat } from '~/ui/format-date'
import { type Interval, uniteIntervals } from './watched-intervals'

export type StudyDay = {
  day: string
  /** The study time in whole minutes, rounded down. */
  minutes: number
  /** Whether the learner studied at all. Even less than a minute counts in a streak. */
  hasStudied: boolean
}

/** Converts seconds to hours with one decimal, rounded down: 7 minutes are 0.1 hours. */
export function studyHours(seconds: number): number {
  return Math.floor(seconds / 360) / 10
}

/** Returns the day that is a number of days after another. */
export function addDays(day: string, days: number): string {
  const date = new Date(`${day}T00:00:00Z`)
  date.setUTCDate(date.getUTCDate() + days)
  return date.toISOString().slice(0, 10)
}

const dayMs = 86_400_000
const dayFormats = new Map<string, Intl.DateTimeFormat>()

/**
 * Returns the day at a point in time.
 *
 * @param timeZone an IANA name
 */
export function localDay(time: Date | number, timeZone: string): string {
  let format = dayFormats.get(timeZone)
  if (!format) {
    // Canadian English writes dates like 2026-11-20.
    format = zonedFormat(timeZone, { dateStyle: 'short' }, 'en-CA')
    dayFormats.set(timeZone, format)
  }

  return format.format(time)
}

/** The study time of one day. */
export type StudiedDay = { day: string; studied: Interval[] }

/** Splits study time at the midnights of a time zone. */
export function splitByDay(studied: readonly Interval[], timeZone: string): StudiedDay[] {
  const intervalsByDay = new Map<string, Interval[]>()
  for (const [start, end] of uniteIntervals(studied)) {
    let from = start
    while (from < end) {
      const day = localDay(from, timeZone)
      const to = findEndOfDay(from, Math.min(end, from + dayMs), timeZone)
      intervalsByDay.set(day, [...(intervalsByDay.get(day) ?? []), [from, to]])
      from = to
    }
  }

  return [...intervalsByDay].map(([day, intervals]) => ({
    day,
    studied: uniteIntervals(intervals),
  }))
}

/** Returns the first time after `from` that is on another day, but at most `end`. */
function findEndOfDay(from: number, end: number, timeZone: string): number {
  const day = localDay(from, timeZone)
  if (localDay(end - 1, timeZone) === day) {
    return end
  }

  // A binary search works for every time zone and for days on which the clocks change.
  let lastOnSameDay = from
  let firstOnOtherDay = end - 1
  while (firstOnOtherDay - lastOnSameDay > 1) {
    const middle = Math.floor((lastOnSameDay + firstOnOtherDay) / 2)
    if (localDay(middle, timeZone) === day) {
      lastOnSameDay = middle
    } else {
      firstOnOtherDay = middle
    }
  }

  return firstOnOtherDay
}

/**
 * Returns every one of the last days up to `today`, oldest first, also those without study time.
 */
export function fillDays(
  studyDays: readonly Omit<StudyDay, 'hasStudied'>[],
  today: string,
  dayCount: number,
): StudyDay[] {
  const minutesByDay = new Map(studyDays.map(({ day, minutes }) => [day, minutes]))
  return Array.from({ length: dayCount }, (_, index) => {
    const day = addDays(today, index - dayCount + 1)
    return { day, minutes: minutesByDay.get(day) ?? 0, hasStudied: minutesByDay.has(day) }
  })
}

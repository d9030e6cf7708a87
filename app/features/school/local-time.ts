/** Converts between points in time and local times of a time zone, such as the start of a day. */
import { zonedFormat } from '~/ui/format-date'

const dayMs = 24 * 60 * 60_000

/**
 * Converts a local time from a `datetime-local` field to a point in time.
 *
 * When clocks go back, a local time exists twice. The result is the first of both. When clocks go
 * forward, some local times do not exist. Such a time is moved forward by as much as the clocks.
 *
 * @param text a local time such as '2026-11-27T10:00'
 * @param timeZone an IANA name
 * @returns null if the text is not a valid local time
 */
export function parseLocalTime(text: string, timeZone: string): Date | null {
  if (!isLocalTime(text)) {
    return null
  }

  // The zone's offset at this time is the offset of a day earlier or of a day later.
  const msAsUtc = Date.parse(`${text}Z`)
  const offsets = [-dayMs, dayMs].map((shiftMs) => getOffset(msAsUtc + shiftMs, timeZone))
  const candidates = offsets.map((offset) => msAsUtc - offset)
  const matches = candidates.filter((candidate) => formatLocalTime(candidate, timeZone) === text)

  return new Date(matches.length > 0 ? Math.min(...matches) : Math.max(...candidates))
}

/**
 * Returns when a day starts. That is not midnight if clocks go forward at midnight.
 *
 * @param day a day such as '2026-12-31'
 * @returns null if the calendar has no such day
 */
export function getStartOfDay(day: string, timeZone: string): Date | null {
  return parseLocalTime(`${day}T00:00`, timeZone)
}

/** Returns when a day ends, which is when the next day starts. */
export function getEndOfDay(day: string, timeZone: string): Date | null {
  if (!isLocalTime(`${day}T00:00`)) {
    return null
  }

  const nextDay = new Date(Date.parse(`${day}T00:00Z`) + dayMs).toISOString().slice(0, 10)
  return getStartOfDay(nextDay, timeZone)
}

/** Returns the day that starts at this time, or null if no day does. */
export function findDayStartingAt(time: Date, timeZone: string): string | null {
  const day = formatDay(time, timeZone)
  return getStartOfDay(day, timeZone)?.getTime() === time.getTime() ? day : null
}

/** Returns the day that ends at this time, or null if no day does. */
export function findDayEndingAt(time: Date, timeZone: string): string | null {
  const day = formatDay(new Date(time.getTime() - 1), timeZone)
  return getEndOfDay(day, timeZone)?.getTime() === time.getTime() ? day : null
}

function formatDay(time: Date, timeZone: string): string {
  return formatLocalTime(time, timeZone).slice(0, 10)
}

/** Formats the name of a time zone for readers, such as 'America/New York'. */
export function formatTimeZone(timeZone: string): string {
  return timeZone.replaceAll('_', ' ')
}

function isLocalTime(text: string): boolean {
  // Years from 1000 to 8999 leave room for the day before and the day after in years of four
  // digits.
  if (!/^[1-8]\d{3}-\d\d-\d\dT\d\d:\d\d$/.test(text)) {
    return false
  }

  // Date.parse() accepts days that do not exist, such as February 30.
  const ms = Date.parse(`${text}Z`)
  return !Number.isNaN(ms) && new Date(ms).toISOString().slice(0, 16) === text
}

/** Formats a point in time as a local time such as '2026-11-27T10:00'. */
function formatLocalTime(time: Date | number, timeZone: string): string {
  // Swedish dates and times look like ISO 8601.
  const format = zonedFormat(timeZone, { dateStyle: 'short', timeStyle: 'short' }, 'sv-SE')
  return format.format(time).replace(' ', 'T')
}

/** Returns the zone's offset from UTC in milliseconds, to the minute. */
function getOffset(timeMs: number, timeZone: string): number {
  const wholeMinuteMs = Math.floor(timeMs / 60_000) * 60_000
  return Date.parse(`${formatLocalTime(wholeMinuteMs, timeZone)}Z`) - wholeMinuteMs
}

/**
 * Formats dates for readers. The server and the browser format a date in the same way, always in
 * en-US and in the given time zone. A time zone is an IANA name. For a learner, it is the
 * `displayTimezone` of their account.
 */

/** These formats are kept, because creating a format takes a hundred times as long as using it. */
const longDateFormat = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' })
const dayFormat = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: 'numeric',
  timeZone: 'UTC',
})
const weekdayFormat = new Intl.DateTimeFormat('en-US', { weekday: 'long', timeZone: 'UTC' })

/**
 * Returns a date format in a learner's time zone. The format uses UTC if this JavaScript engine is
 * too old to know the time zone.
 */
export function zonedFormat(
  timeZone: string,
  options: Intl.DateTimeFormatOptions,
  locale = 'en-US',
) {
  try {
    return new Intl.DateTimeFormat(locale, { ...options, timeZone })
  } catch {
    return new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' })
  }
}

/** Formats a date like 'Nov 20, 2026'. */
export function formatDate(iso: string, timeZone = 'UTC'): string {
  return zonedFormat(timeZone, { dateStyle: 'medium' }).format(new Date(iso))
}

/**
 * Formats a date like 'November 20, 2026'.
 *
 * @param date a point in time, or a day like 2026-11-20
 */
export function formatLongDate(date: string | Date, timeZone = 'UTC'): string {
  const format = timeZone === 'UTC' ? longDateFormat : zonedFormat(timeZone, { dateStyle: 'long' })
  return format.format(new Date(date))
}

/** Formats a date like 'Nov 20, 2026, 5:30 PM GMT+1', for a deadline. */
export function formatDateTime(iso: string, timeZone: string): string {
  const instant = new Date(iso)
  const text = zonedFormat(timeZone, { dateStyle: 'medium', timeStyle: 'short' }).format(instant)
  const parts = zonedFormat(timeZone, { timeZoneName: 'short' }).formatToParts(instant)

  const zoneName = parts.find(({ type }) => type === 'timeZoneName')?.value

  // Some engines put a narrow space before AM and PM, others a plain one.
  return `${text.replaceAll('\u202f', ' ')} ${zoneName}`
}

/** Formats a date like 'Nov 2026'. */
export function formatMonth(iso: string, timeZone: string): string {
  return zonedFormat(timeZone, { month: 'short', year: 'numeric' }).format(new Date(iso))
}

/** Formats a day like 2026-11-20 as 'Nov 20'. */
export function formatDay(isoDay: string): string {
  return dayFormat.format(new Date(isoDay))
}

/** Formats a day like 2026-11-20 as 'Friday'. */
export function formatWeekday(isoDay: string): string {
  return weekdayFormat.format(new Date(isoDay))
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** Formats a date like '5 minutes ago' or 'yesterday'. From a week on, it returns the date. */
export function formatRelativeTime(iso: string, now: Date, timeZone: string): string {
  const agoMs = now.getTime() - Date.parse(iso)
  if (agoMs < minuteMs) {
    return 'just now'
  }

  const relative = new Intl.RelativeTimeFormat('en-US', { numeric: 'auto' })
  if (agoMs < hourMs) {
    return relative.format(-Math.floor(agoMs / minuteMs), 'minute')
  }

  if (agoMs < dayMs) {
    return relative.format(-Math.floor(agoMs / hourMs), 'hour')
  }

  return agoMs < 7 * dayMs
    ? relative.format(-Math.floor(agoMs / dayMs), 'day')
    : formatDate(iso, timeZone)
}

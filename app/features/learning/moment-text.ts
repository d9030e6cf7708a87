/** Dates as learners read them, the same on server and browser: always en-US and an explicit time zone. */

/** Like 'Nov 20, 2026'. @param timezone IANA name; null means UTC. */
export function dateText(iso: string, timezone: string | null = null): string {
  return new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: timezone ?? 'UTC' }).format(new Date(iso))
}

/** Like 'Nov 20, 2026, 5:30 PM GMT+1', for a moment that a learner waits for. */
export function momentText(iso: string, timezone: string | null): string {
  const format = { dateStyle: 'medium', timeStyle: 'short', timeZone: timezone ?? 'UTC' } as const
  const zone = new Intl.DateTimeFormat('en-US', { timeZone: timezone ?? 'UTC', timeZoneName: 'short' })
  const zoneName = zone.formatToParts(new Date(iso)).find(({ type }) => type === 'timeZoneName')?.value
  return `${new Intl.DateTimeFormat('en-US', format).format(new Date(iso)).replaceAll('\u202f', ' ')} ${zoneName}`
}

/** Like 'Nov 2026'. */
export function monthText(iso: string, timezone: string | null = null): string {
  const format = { month: 'short', year: 'numeric', timeZone: timezone ?? 'UTC' } as const
  return new Intl.DateTimeFormat('en-US', format).format(new Date(iso))
}

/** Like 'Nov 20', of a day like 2026-11-20. */
export function dayText(day: string): string {
  return new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' }).format(new Date(day))
}

/** Like 'Friday', of a day like 2026-11-20. */
export function weekdayText(day: string): string {
  return new Intl.DateTimeFormat('en-US', { weekday: 'long', timeZone: 'UTC' }).format(new Date(day))
}

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** Like '5 minutes ago', 'yesterday' or, after a week, the date. */
export function relativeText(iso: string, now: Date, timezone: string | null = null): string {
  const ago = now.getTime() - Date.parse(iso)
  if (ago < minute) return 'just now'
  const relative = new Intl.RelativeTimeFormat('en-US', { numeric: 'auto' })
  if (ago < hour) return relative.format(-Math.floor(ago / minute), 'minute')
  if (ago < day) return relative.format(-Math.floor(ago / hour), 'hour')
  return ago < 7 * day ? relative.format(-Math.floor(ago / day), 'day') : dateText(iso, timezone)
}

/** Like '2 h 5 min', '45 min' or '3 h'. */
export function minutesText(minutes: number): string {
  const hours = Math.floor(minutes / 60)
  const rest = minutes % 60
  if (hours === 0) return `${rest} min`
  return rest === 0 ? `${hours} h` : `${hours} h ${rest} min`
}

/** Like '1 day' or '12 days'. */
export function countText(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`
}

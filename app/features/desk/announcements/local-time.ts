import { zonedFormat } from '~/ui/format-date'

/**
 * The instant of a local time from a `datetime-local` field. When clocks go back, it is the first
 * of the two. A time that clocks skip moves ahead by as much as they do.
 *
 * @param local like 2026-11-27T10:00.
 * @param timeZone IANA name.
 * @returns null if the text isn't a valid time.
 */
export function instantOf(local: string, timeZone: string): Date | null {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(local)) {
    return null
  }

  const asUtc = Date.parse(`${local}Z`)
  if (Number.isNaN(asUtc) || new Date(asUtc).toISOString().slice(0, 16) !== local) {
    return null
  }

  // The days before and after have to be in years of four digits, too.
  if (!/^[1-8]/.test(local)) {
    return null
  }

  // The offset is that of the day before or that of the day after.
  const offsets = [-dayMs, dayMs].map((apart) => offsetAt(asUtc + apart, timeZone))
  const candidates = offsets.map((offset) => asUtc - offset)
  const right = candidates.filter((candidate) => localTime(candidate, timeZone) === local)

  return new Date(right.length > 0 ? Math.min(...right) : Math.max(...candidates))
}

const dayMs = 24 * 60 * 60_000

/** The local time in the zone, like 2026-11-27T10:00. */
export function localTime(instant: Date | number, timeZone: string): string {
  // Swedish dates and times look like ISO 8601.
  const format = zonedFormat(timeZone, { dateStyle: 'short', timeStyle: 'short' }, 'sv-SE')
  return format.format(instant).replace(' ', 'T')
}

/** The zone's offset from UTC in milliseconds, to the minute. */
function offsetAt(instant: number, timeZone: string): number {
  const minute = Math.floor(instant / 60_000) * 60_000
  return Date.parse(`${localTime(minute, timeZone)}Z`) - minute
}

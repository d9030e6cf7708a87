import { zonedFormat } from '~/ui/format-date'

/**
 * The instant of a local time, as a `datetime-local` field sends it. Of an hour that is there twice, as clocks go back, it is
 * the first; a time that clocks skip is as much later as they skip.
 *
 * @param local like 2026-11-27T10:00.
 * @param timeZone IANA name.
 * @returns null if it is no time.
 */
export function instantOf(local: string, timeZone: string): Date | null {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(local)) return null
  const asUtc = Date.parse(`${local}Z`)
  if (Number.isNaN(asUtc) || new Date(asUtc).toISOString().slice(0, 16) !== local) return null
  // A zone's offsets of the day before and after are all that the time can have.
  const offsets = [-dayMs, dayMs].map((apart) => offsetAt(asUtc + apart, timeZone))
  const candidates = offsets.map((offset) => asUtc - offset)
  const right = candidates.filter((candidate) => localTime(candidate, timeZone) === local)
  return new Date(right.length > 0 ? Math.min(...right) : Math.max(...candidates))
}

const dayMs = 24 * 60 * 60_000

/** What clocks in the zone show, like 2026-11-27T10:00. */
export function localTime(instant: Date | number, timeZone: string): string {
  // The Swedish format is that of ISO 8601.
  const format = zonedFormat(timeZone, { dateStyle: 'short', timeStyle: 'short' }, 'sv-SE')
  return format.format(instant).replace(' ', 'T')
}

/** How much clocks in the zone are ahead of UTC, in milliseconds, to the minute. */
function offsetAt(instant: number, timeZone: string): number {
  const minute = Math.floor(instant / 60_000) * 60_000
  return Date.parse(`${localTime(minute, timeZone)}Z`) - minute
}

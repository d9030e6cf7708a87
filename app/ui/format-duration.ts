import { formatCount, formatNumber } from './format-count'

const twoDigits = (part: number) => String(part).padStart(2, '0')

/**
 * Formats a position or a length like a clock: '0:07', '12:30', '1:02:03'.
 *
 * @param seconds a fraction is cut off.
 */
export function formatClock(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]

  return hours > 0
    ? `${hours}:${twoDigits(minutes)}:${twoDigits(rest)}`
    : `${minutes}:${twoDigits(rest)}`
}

/** Formats a short length in words: '45 s', '2 min 30 s', '3 min'. */
export function formatSeconds(seconds: number): string {
  const whole = Math.round(seconds)
  const [minutes, rest] = [Math.floor(whole / 60), whole % 60]
  if (minutes === 0) {
    return `${rest} s`
  }

  return rest === 0 ? `${minutes} min` : `${minutes} min ${rest} s`
}

/** Formats a length in words: '45 min', '3 h', '1,200 h 5 min'. */
export function formatMinutes(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  if (hours === 0) {
    return `${rest} min`
  }

  const hoursPart = `${formatNumber(hours)} h`

  return rest === 0 ? hoursPart : `${hoursPart} ${rest} min`
}

/** Formats a length like '65 hours' or '1.5 hours'. */
export function formatHours(hours: number): string {
  return formatCount(hours, 'hour', 'hours')
}

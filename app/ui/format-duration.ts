import { formatCount, formatNumber } from './format-count'

const padToTwoDigits = (number: number) => String(number).padStart(2, '0')

/**
 * Formats a position or a length like a clock: '0:07', '12:30', '1:02:03'.
 *
 * @param durationSeconds a fraction is cut off, and a negative number counts as 0
 */
export function formatClock(durationSeconds: number): string {
  const totalSeconds = Math.max(0, Math.floor(durationSeconds))
  const hours = Math.floor(totalSeconds / 3600)
  const minutes = Math.floor(totalSeconds / 60) % 60
  const seconds = totalSeconds % 60

  return hours > 0
    ? `${hours}:${padToTwoDigits(minutes)}:${padToTwoDigits(seconds)}`
    : `${minutes}:${padToTwoDigits(seconds)}`
}

/** Formats a short length in words: '45 s', '2 min 30 s', '3 min'. */
export function formatSeconds(durationSeconds: number): string {
  const totalSeconds = Math.round(durationSeconds)
  const minutes = Math.floor(totalSeconds / 60)
  const seconds = totalSeconds % 60
  if (minutes === 0) {
    return `${seconds} s`
  }

  return seconds === 0 ? `${minutes} min` : `${minutes} min ${seconds} s`
}

/** Formats a length in words: '45 min', '3 h', '1,200 h 5 min'. */
export function formatMinutes(durationMinutes: number): string {
  const hours = Math.floor(durationMinutes / 60)
  const minutes = durationMinutes % 60
  if (hours === 0) {
    return `${minutes} min`
  }

  const formattedHours = `${formatNumber(hours)} h`

  return minutes === 0 ? formattedHours : `${formattedHours} ${minutes} min`
}

/** Formats a length like '65 hours' or '1.5 hours'. */
export function formatHours(hours: number): string {
  return formatCount(hours, 'hour', 'hours')
}

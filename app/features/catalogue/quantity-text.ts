const whole = new Intl.NumberFormat('en-US')

/** '1 student', '45,230 students'. */
export function countText(count: number, singular: string, plural = `${singular}s`): string {
  return `${whole.format(count)} ${count === 1 ? singular : plural}`
}

/** '65 hours', '1.5 hours'. */
export function hoursText(hours: number): string {
  return countText(hours, 'hour')
}

/** '50 min', '13 h', '13 h 30 min'. */
export function minutesText(minutes: number): string {
  const hours = Math.floor(minutes / 60)
  const rest = minutes % 60
  return [hours > 0 && `${whole.format(hours)} h`, (rest > 0 || hours === 0) && `${rest} min`].filter(Boolean).join(' ')
}

/** '0:28', '12:20', '1:02:03'. */
export function clockText(seconds: number): string {
  const hours = Math.floor(seconds / 3600)
  const minutes = Math.floor((seconds % 3600) / 60)
  const rest = String(seconds % 60).padStart(2, '0')
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${rest}` : `${minutes}:${rest}`
}

const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' })

/** 'October 12, 2026' of '2026-10-12'. */
export function dateText(isoDate: string): string {
  return day.format(new Date(`${isoDate}T00:00:00Z`))
}

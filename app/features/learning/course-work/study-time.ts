export type StudyDay = {
  /** Like 2026-11-20, in the learner's time zone. */
  day: string
  /** Whole, rounded down. */
  minutes: number
  /** Some time was spent, also less than a minute: the day counts in a streak. */
  learned: boolean
}

/** Hours of learning with one decimal, rounded down: 7 min are 0.1 h, and nothing is credited that was not spent. */
export function studyHours(seconds: number): number {
  return Math.floor(seconds / 360) / 10
}

/** `day` moved by whole days; both like 2026-11-20. */
export function addDays(day: string, days: number): string {
  const date = new Date(`${day}T00:00:00Z`)
  date.setUTCDate(date.getUTCDate() + days)
  return date.toISOString().slice(0, 10)
}

/** The day that `now` is in a time zone, like 2026-11-20. @param timeZone IANA name. */
export function localDay(now: Date, timeZone: string): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(now)
}

/** Days in a row up to today; a streak that reached yesterday still stands, because today is not over. */
export function currentStreak(latest: { lastDay: string; days: number } | null, today: string): number {
  return latest && latest.lastDay >= addDays(today, -1) ? latest.days : 0
}

/** Every day of the `days` up to `today`, oldest first, with zero minutes where nothing was studied. */
export function fillDays(studied: readonly Omit<StudyDay, 'learned'>[], today: string, days: number): StudyDay[] {
  const minutesByDay = new Map(studied.map(({ day, minutes }) => [day, minutes]))
  return Array.from({ length: days }, (_, index) => {
    const day = addDays(today, index - days + 1)
    return { day, minutes: minutesByDay.get(day) ?? 0, learned: minutesByDay.has(day) }
  })
}

/**
 * Parses a time that starts with a day, such as '2026-12-24T18:00Z'.
 *
 * @returns null if the calendar has no such day, or if the year is not between 1 and 9998. The
 *   database and JavaScript disagree about how to write other years.
 */
export function parseCalendarTime(text: string): Date | null {
  const time = new Date(text)
  if (Number.isNaN(time.getTime())) {
    return null
  }

  // JavaScript reads February 30 as March 2.
  const isSameDay = time.toISOString().slice(0, 10) === text.slice(0, 10)
  const year = time.getUTCFullYear()
  return isSameDay && year > 0 && year < 9999 ? time : null
}

const events = { enrollments: 0, certificates: 0, examAttempts: 0, signUps: 0, progressReports: 0 }

export type CountedEvent = keyof typeof events

/** Counts what this process has stored and acknowledged, never whose it is. Call it after the commit. */
export function countEvent(event: CountedEvent, count = 1): void {
  events[event] += count
}

export function eventCounts(): Readonly<Record<CountedEvent, number>> {
  return events
}

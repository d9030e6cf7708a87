import { addDays } from './study-time'

/**
 * Lengths of the streaks: days in a row on which the learner studied, however shortly. The
 * dashboard and the achievement Consistent Learner count by this.
 *
 * @param days on which the learner studied, like 2026-11-20, ascending.
 */
function streaksOf(days: readonly string[]): { lastDay: string; length: number }[] {
  const streaks: { lastDay: string; length: number }[] = []
  let dayBefore = Number.NaN
  for (const day of days) {
    const latest = streaks.at(-1)
    const number = dayNumber(day)
    if (latest && number === dayBefore + 1) {
      Object.assign(latest, { lastDay: day, length: latest.length + 1 })
    } else {
      streaks.push({ lastDay: day, length: 1 })
    }

    dayBefore = number
  }

  return streaks
}

/** Days since 1970; a thousand of them take no time, unlike calendars. */
function dayNumber(day: string): number {
  return Date.parse(day) / 86_400_000
}

/**
 * The streak up to today, in days; one that reached yesterday still counts, because today is not
 * over.
 */
export function currentStreakDays(days: readonly string[], today: string): number {
  const latest = streaksOf(days).at(-1)
  return latest && latest.lastDay >= addDays(today, -1) ? latest.length : 0
}

export function longestStreakDays(days: readonly string[]): number {
  return Math.max(0, ...streaksOf(days).map(({ length }) => length))
}

/**
 * Days in a row that are celebrated when a streak reaches them, and that Consistent Learner leads
 * on to.
 */
export const streakSteps = [3, 7, 14, 30, 60, 100, 365] as const

/**
 * The step that a streak has just reached: today, or yesterday by a report that was late. Older
 * ones are no news.
 *
 * @returns its days in a row, and the day that completed them.
 */
export function streakStepReached(
  days: readonly string[],
  today: string,
): { days: number; reachedOn: string } | null {
  const length = currentStreakDays(days, today)
  const step = streakSteps.findLast((goal) => goal <= length)
  const lastDay = days.at(-1)
  if (step === undefined || lastDay === undefined) {
    return null
  }

  const reachedOn = addDays(lastDay, step - length)

  return reachedOn >= addDays(today, -1) ? { days: step, reachedOn } : null
}

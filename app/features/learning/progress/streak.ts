/** Streaks of study days. Days are texts like "2026-11-20" in the learner's time zone. */
import { addDays } from './study-time'

/**
 * Returns the number of study days in a row up to today. A streak that reached yesterday still
 * counts, because today is not over.
 *
 * @param days the study days in ascending order
 */
export function getCurrentStreakDays(days: readonly string[], today: string): number {
  const latestStreak = listStreaks(days).at(-1)
  const yesterday = addDays(today, -1)
  return latestStreak && latestStreak.lastDay >= yesterday ? latestStreak.length : 0
}

/**
 * Returns the length of the longest streak.
 *
 * @param days the study days in ascending order
 */
export function getLongestStreakDays(days: readonly string[]): number {
  return Math.max(0, ...listStreaks(days).map(({ length }) => length))
}

/** Lists the runs of study days without a gap, oldest first. */
function listStreaks(days: readonly string[]): { lastDay: string; length: number }[] {
  const streaks: { lastDay: string; length: number }[] = []
  let previousDayNumber = Number.NaN
  for (const day of days) {
    const streak = streaks.at(-1)
    const dayNumber = toDayNumber(day)
    if (streak && dayNumber === previousDayNumber + 1) {
      streak.lastDay = day
      streak.length += 1
    } else {
      streaks.push({ lastDay: day, length: 1 })
    }

    previousDayNumber = dayNumber
  }

  return streaks
}

const dayMs = 86_400_000

/** Returns the days since 1970. Numbers compare much faster than dates of a calendar. */
function toDayNumber(day: string): number {
  return Date.parse(day) / dayMs
}

/**
 * The lengths at which a streak is celebrated. They are also the goals of the achievement
 * "Consistent Learner".
 */
export const streakSteps = [3, 7, 14, 30, 60, 100, 365] as const

/**
 * Returns the step that the current streak has just reached, and the day that completed it, or
 * null. A step that was reached yesterday counts, because a report may be late.
 *
 * @param days the study days in ascending order
 */
export function findReachedStreakStep(
  days: readonly string[],
  today: string,
): { days: number; reachedOn: string } | null {
  const streakDays = getCurrentStreakDays(days, today)
  const step = streakSteps.findLast((stepDays) => stepDays <= streakDays)
  const lastDay = days.at(-1)
  if (step === undefined || lastDay === undefined) {
    return null
  }

  const reachedOn = addDays(lastDay, step - streakDays)
  const yesterday = addDays(today, -1)

  return reachedOn >= yesterday ? { days: step, reachedOn } : null
}

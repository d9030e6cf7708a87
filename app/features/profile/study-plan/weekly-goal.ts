import { addDays } from '~/features/learning/progress/study-time'
import { byCount } from '~/ui/format-count'

export type StudyPlan = {
  /** The days of the week to study on, ascending. 1 is Monday. The others are rest days. */
  weekdays: readonly number[]
  /** The hour from which a reminder may be sent, in the learner's time zone. Null means never. */
  reminderHour: number | null
}

export const weekdayNames = [
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
  'Sunday',
] as const

/** A day of the current week. */
export type GoalDay = {
  /** A date such as 2026-11-20. */
  day: string
  /** The name of the weekday. */
  name: string
  status: 'studied' | 'today' | 'planned' | 'missed' | 'rest'
}

/**
 * The progress toward a weekly goal. A rest day on which the learner studied makes up for a missed
 * day.
 */
export type WeekProgress = {
  /** The number of days of this week on which the learner studied. */
  studiedCount: number
  /** The number of days to study on. */
  goal: number
  isMet: boolean
  isRestDay: boolean
  days: GoalDay[]
}

/**
 * Computes the progress of the week that contains `today`. Weeks begin on Monday. All days are in
 * the learner's time zone.
 *
 * @param studiedDays the days on which the learner studied, in any order. Other weeks are ignored.
 */
export function computeWeekProgress(
  weekdays: readonly number[],
  studiedDays: readonly string[],
  today: string,
): WeekProgress {
  const monday = addDays(today, 1 - getWeekday(today))
  const days = weekdayNames.map((name, index): GoalDay => {
    const day = addDays(monday, index)
    const hasStudied = studiedDays.includes(day)
    const isPlanned = weekdays.includes(index + 1)
    return { day, name, status: getDayStatus(day, today, { hasStudied, isPlanned }) }
  })

  const studiedCount = days.filter(({ status }) => status === 'studied').length

  return {
    studiedCount,
    goal: weekdays.length,
    isMet: studiedCount >= weekdays.length,
    isRestDay: !weekdays.includes(getWeekday(today)),
    days,
  }
}

function getDayStatus(
  day: string,
  today: string,
  { hasStudied, isPlanned }: { hasStudied: boolean; isPlanned: boolean },
): GoalDay['status'] {
  if (hasStudied) {
    return 'studied'
  }

  if (!isPlanned) {
    return 'rest'
  }

  if (day === today) {
    return 'today'
  }

  return day < today ? 'missed' : 'planned'
}

/**
 * Returns the day of the week, where 1 is Monday and 7 is Sunday.
 *
 * @param day a date such as 2026-11-20
 */
export function getWeekday(day: string): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay() || 7
}

/** Describes what the learner has to do to reach the goal of this week. */
export function describeWeekProgress(
  { studiedCount, goal, isMet, isRestDay, days }: WeekProgress,
  today: string,
): string {
  if (isMet) {
    return studiedCount > goal ? goalTexts.exceeded : goalTexts.met
  }

  const missingDays = goal - studiedCount
  const availableDays = days.filter(({ day, status }) => day >= today && status !== 'studied')
  if (missingDays > availableDays.length) {
    return goalTexts.newWeek
  }

  const isTodayPlanned = days.some(({ status }) => status === 'today')
  if (isTodayPlanned) {
    return missingDays === 1 ? goalTexts.today : goalTexts.todayAndMore(missingDays - 1)
  }

  const advice = goalTexts.later(missingDays)
  return isRestDay ? `${goalTexts.restDay} ${advice}` : advice
}

const goalTexts = {
  exceeded: 'You’ve gone beyond your goal this week.',
  met: 'You’ve reached your goal this week.',
  newWeek: 'A new week starts on Monday.',
  today: 'Study a little today to reach your goal.',
  todayAndMore: (moreDays: number) =>
    byCount(
      moreDays,
      'Study a little today and on 1 more day this week to reach your goal.',
      `Study a little today and on ${moreDays} more days this week to reach your goal.`,
    ),
  later: (days: number) =>
    byCount(
      days,
      'Study 1 more day this week to reach your goal.',
      `Study ${days} more days this week to reach your goal.`,
    ),
  restDay: 'Today’s a rest day.',
} as const

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
  day: string
  name: string
  status: 'learned' | 'today' | 'planned' | 'missed' | 'rest'
}

/** The progress toward a weekly goal. Studying on a rest day counts, to make up for a missed day. */
export type WeekProgress = {
  /** The number of days of this week on which the learner studied. */
  learnedCount: number
  /** The number of days to study on. */
  goal: number
  isMet: boolean
  isRestDay: boolean
  days: GoalDay[]
}

/**
 * Computes the progress of the week that contains `today`. Weeks begin on Monday. All days are in the
 * learner's time zone.
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
    const isLearned = studiedDays.includes(day)
    const isPlanned = weekdays.includes(index + 1)
    return { day, name, status: getDayStatus(day, today, { isLearned, isPlanned }) }
  })

  const learnedCount = days.filter(({ status }) => status === 'learned').length

  return {
    learnedCount,
    goal: weekdays.length,
    isMet: learnedCount >= weekdays.length,
    isRestDay: !weekdays.includes(getWeekday(today)),
    days,
  }
}

function getDayStatus(
  day: string,
  today: string,
  { isLearned, isPlanned }: { isLearned: boolean; isPlanned: boolean },
): GoalDay['status'] {
  if (isLearned) {
    return 'learned'
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
  { learnedCount, goal, isMet, isRestDay, days }: WeekProgress,
  today: string,
): string {
  if (isMet) {
    return learnedCount > goal ? goalTexts.exceeded : goalTexts.met
  }

  const missingDays = goal - learnedCount
  const availableDays = days.filter(({ day, status }) => day >= today && status !== 'learned')
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

/** Says what the learner has to do to reach the goal of this week. */
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

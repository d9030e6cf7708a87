import { addDays } from '~/features/learning/progress/study-time'
import { goalTexts } from './study-plan-messages'

export type StudyPlan = {
  /** Days of the week to learn on, 1 is Monday, ascending; the others are rest days. */
  weekdays: readonly number[]
  /** The hour of the learner's day from which on a reminder may be sent; null: never. */
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

/** A day of this week. */
export type GoalDay = {
  day: string
  name: string
  state: 'learned' | 'today' | 'planned' | 'missed' | 'rest'
}

/**
 * `learned` days of `goal`; a day of learning counts on a rest day, too, so that a missed one can
 * be made up for.
 */
export type WeekProgress = {
  learned: number
  goal: number
  met: boolean
  restToday: boolean
  days: GoalDay[]
}

/** 1 is Monday, 7 Sunday. @param day like 2026-11-20. */
export function weekdayOf(day: string): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay() || 7
}

/**
 * The progress of the week that `today` is in; weeks begin on Monday.
 *
 * @param learnedDays days of learning, any order; those of other weeks do not count.
 * @param today in the learner's time zone, like all days here.
 */
export function weekProgress(
  weekdays: readonly number[],
  learnedDays: readonly string[],
  today: string,
): WeekProgress {
  const monday = addDays(today, 1 - weekdayOf(today))
  const learned = new Set(learnedDays)
  const days = weekdayNames.map((name, index): GoalDay => {
    const day = addDays(monday, index)
    return { day, name, state: stateOf(day, today, learned.has(day), weekdays.includes(index + 1)) }
  })
  const count = days.filter(({ state }) => state === 'learned').length

  return {
    learned: count,
    goal: weekdays.length,
    met: count >= weekdays.length,
    restToday: !weekdays.includes(weekdayOf(today)),
    days,
  }
}

function stateOf(day: string, today: string, learned: boolean, planned: boolean): GoalDay['state'] {
  if (learned) {
    return 'learned'
  }

  if (!planned) {
    return 'rest'
  }

  if (day === today) {
    return 'today'
  }

  return day < today ? 'missed' : 'planned'
}

/** What a week's progress means for the learner. @param today in the learner's time zone. */
export function goalSentence(
  { learned, goal, met, restToday, days }: WeekProgress,
  today: string,
): string {
  if (met) {
    return learned > goal ? goalTexts.exceeded : goalTexts.met
  }

  const left = goal - learned
  const open = days.filter(({ day, state }) => day >= today && state !== 'learned').length
  if (left > open) {
    return goalTexts.newWeek
  }

  if (days.some(({ state }) => state === 'today')) {
    return left === 1 ? goalTexts.today : goalTexts.todayAnd(left - 1)
  }

  return restToday ? `${goalTexts.restDay} ${goalTexts.later(left)}` : goalTexts.later(left)
}

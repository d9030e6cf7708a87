import { localDay } from '~/features/learning/progress/study-time'
import { zonedFormat } from '~/ui/format-date'
import { type StudyPlan, weekProgress } from './weekly-goal'

/** The learner's facts that decide about a reminder. */
export type ReminderFacts = {
  plan: StudyPlan
  timeZone: string
  /** Of this week at least, in the learner's time zone. */
  learnedDays: readonly string[]
  remindedAt: Date | null
}

export const reminderHours = [8, 12, 18] as const

const hourMs = 3_600_000
/** Later than this, a reminder no longer fits the learner's plans. */
const lateHours = 3
/** A learner who travels west has the same hour twice. */
const apartMs = 20 * hourMs

/**
 * Whether to remind a learner now: on a day of the plan, from its hour on for three hours, once,
 * unless they have learned that day or reached the week's goal.
 */
export function isReminderDue(
  { plan, timeZone, learnedDays, remindedAt }: ReminderFacts,
  now: Date,
): boolean {
  const { reminderHour, weekdays } = plan
  if (reminderHour === null) {
    return false
  }

  const { hour } = localTime(now, timeZone)
  if (hour < reminderHour || hour >= reminderHour + lateHours) {
    return false
  }

  const today = localDay(now, timeZone)
  if (learnedDays.includes(today)) {
    return false
  }

  const { met, restToday } = weekProgress(weekdays, learnedDays, today)
  if (met || restToday) {
    return false
  }

  if (remindedAt === null) {
    return true
  }

  return localDay(remindedAt, timeZone) !== today && now.getTime() - remindedAt.getTime() >= apartMs
}

/**
 * The next time the learner's clock shows the full hour; a change of clocks on the way is allowed
 * for.
 */
export function nextLook(reminderHour: number, timeZone: string, now: Date): Date {
  const { hour, minute } = localTime(now, timeZone)
  const fullHour = Math.floor(now.getTime() / 60_000) * 60_000 - minute * 60_000
  const ahead = (reminderHour - hour + 24) % 24 || 24
  const guess = fullHour + ahead * hourMs
  const shown = localTime(new Date(guess), timeZone).hour
  const shift = ((reminderHour - shown + 36) % 24) - 12
  const moved = guess + shift * hourMs

  return new Date(moved > now.getTime() ? moved : guess)
}

const clocks = new Map<string, Intl.DateTimeFormat>()

/** The local time in the time zone. */
export function localTime(now: Date, timeZone: string): { hour: number; minute: number } {
  const clock =
    clocks.get(timeZone) ??
    zonedFormat(timeZone, { hour: 'numeric', minute: 'numeric', hourCycle: 'h23' })
  clocks.set(timeZone, clock)
  const parts = clock.formatToParts(now)
  const number = (type: string) => Number(parts.find((part) => part.type === type)?.value)

  return { hour: number('hour'), minute: number('minute') }
}

import { localDay } from '~/features/learning/progress/study-time'
import { zonedFormat } from '~/ui/format-date'
import { computeWeekProgress, type StudyPlan } from './weekly-goal'

/** What decides whether a learner is reminded. */
export type ReminderSchedule = {
  plan: StudyPlan
  timeZone: string
  /** Days on which the learner studied, at least those of this week, in their time zone. */
  learnedDays: readonly string[]
  remindedAt: Date | null
}

export const reminderHours = [8, 12, 18] as const

const hourMs = 3_600_000

/** After this many hours, a reminder no longer fits the learner's plans. */
const maxDelayHours = 3

/** The same hour comes twice for a learner who travels west. */
const minPauseMs = 20 * hourMs

/**
 * Returns whether to remind a learner now. Reminders are sent once on each study day, within three
 * hours of the chosen hour, unless the learner has studied that day or reached the week's goal.
 */
export function isReminderDue(
  { plan, timeZone, learnedDays, remindedAt }: ReminderSchedule,
  now: Date,
): boolean {
  const { reminderHour, weekdays } = plan
  if (reminderHour === null) {
    return false
  }

  const { hour } = getLocalTime(now, timeZone)
  if (hour < reminderHour || hour >= reminderHour + maxDelayHours) {
    return false
  }

  const today = localDay(now, timeZone)
  if (learnedDays.includes(today)) {
    return false
  }

  const { isMet, isRestDay } = computeWeekProgress(weekdays, learnedDays, today)
  if (isMet || isRestDay) {
    return false
  }

  if (remindedAt === null) {
    return true
  }

  const wasRemindedToday = localDay(remindedAt, timeZone) === today
  return !wasRemindedToday && now.getTime() - remindedAt.getTime() >= minPauseMs
}

/** Returns the next time at which the learner's clock shows the hour of their reminder. */
export function getNextCheck(reminderHour: number, timeZone: string, now: Date): Date {
  const { hour, minute } = getLocalTime(now, timeZone)
  const fullHourMs = Math.floor(now.getTime() / 60_000) * 60_000 - minute * 60_000
  const hoursAhead = (reminderHour - hour + 24) % 24 || 24
  const estimateMs = fullHourMs + hoursAhead * hourMs

  // Daylight saving time may begin or end before then, which shifts the local hour.
  const estimatedHour = getLocalTime(new Date(estimateMs), timeZone).hour
  const hourDifference = ((reminderHour - estimatedHour + 36) % 24) - 12
  const correctedMs = estimateMs + hourDifference * hourMs

  return new Date(correctedMs > now.getTime() ? correctedMs : estimateMs)
}

const formatsByTimeZone = new Map<string, Intl.DateTimeFormat>()

export function getLocalTime(now: Date, timeZone: string): { hour: number; minute: number } {
  const format =
    formatsByTimeZone.get(timeZone) ??
    zonedFormat(timeZone, { hour: 'numeric', minute: 'numeric', hourCycle: 'h23' })
  formatsByTimeZone.set(timeZone, format)

  const parts = format.formatToParts(now)
  const getNumber = (type: string) => Number(parts.find((part) => part.type === type)?.value)

  return { hour: getNumber('hour'), minute: getNumber('minute') }
}

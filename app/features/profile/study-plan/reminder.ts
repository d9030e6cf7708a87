/**
 * Decides when a learner who has a study plan is reminded to study by email. A reminder is sent at
 * most once on each study day, in the three hours from the hour that the learner chose. It is not
 * sent to a learner who has studied that day or has reached the week's goal.
 */
import { localDay } from '~/features/learning/progress/study-time'
import { zonedFormat } from '~/ui/format-date'
import { computeWeekProgress, type StudyPlan } from './weekly-goal'

/** The data that decide whether a learner is reminded. */
export type ReminderSchedule = {
  plan: StudyPlan
  timeZone: string
  /** Days on which the learner studied, at least those of this week, in their time zone. */
  studiedDays: readonly string[]
  /** When the latest reminder was sent, or null if none was. */
  remindedAt: Date | null
}

/** The hours of the day that a learner can choose. All of them are well before midnight. */
export const reminderHours = [8, 12, 18] as const

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const hoursPerDay = 24

/** A reminder that is later than this no longer fits the learner's day. */
const maxDelayHours = 3

/**
 * The shortest time between two reminders. For a learner who travels west, the chosen hour can come
 * twice within some hours. The interval is shorter than a night, so that a learner who changes the
 * hour from the evening to the morning is reminded the next morning.
 */
const minIntervalMs = 12 * hourMs

/**
 * Returns whether to remind a learner now. There is no reminder on a rest day, after the learner
 * has studied that day, or after they have reached the week's goal.
 */
export function isReminderDue(
  { plan, timeZone, studiedDays, remindedAt }: ReminderSchedule,
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
  if (studiedDays.includes(today)) {
    return false
  }

  const { isMet, isRestDay } = computeWeekProgress(weekdays, studiedDays, today)
  if (isMet || isRestDay) {
    return false
  }

  if (remindedAt === null) {
    return true
  }

  const wasRemindedToday = localDay(remindedAt, timeZone) === today
  return !wasRemindedToday && now.getTime() - remindedAt.getTime() >= minIntervalMs
}

/** Returns the next time at which the learner's clock shows the hour of their reminder. */
export function getNextReminderTime(reminderHour: number, timeZone: string, now: Date): Date {
  const { hour, minute } = getLocalTime(now, timeZone)
  const startOfMinuteMs = Math.floor(now.getTime() / minuteMs) * minuteMs
  const startOfHourMs = startOfMinuteMs - minute * minuteMs

  // During the hour of the reminder, the next reminder is a day away.
  const hoursUntilReminder = (reminderHour - hour + hoursPerDay) % hoursPerDay || hoursPerDay
  const estimateMs = startOfHourMs + hoursUntilReminder * hourMs

  // Daylight saving time may begin or end before the estimated time, which shifts the local hour.
  const estimatedHour = getLocalTime(new Date(estimateMs), timeZone).hour
  const correctionHours = getShortestHourDifference(estimatedHour, reminderHour)

  return new Date(estimateMs + correctionHours * hourMs)
}

/**
 * Returns by how many hours to move a clock from one hour to another. The result is from -12 to 11.
 */
function getShortestHourDifference(from: number, to: number): number {
  const halfDay = hoursPerDay / 2
  return ((to - from + hoursPerDay + halfDay) % hoursPerDay) - halfDay
}

const formatsByTimeZone = new Map<string, Intl.DateTimeFormat>()

export function getLocalTime(time: Date, timeZone: string): { hour: number; minute: number } {
  const parts = getTimeFormat(timeZone).formatToParts(time)
  const getNumber = (type: string) => Number(parts.find((part) => part.type === type)?.value)

  return { hour: getNumber('hour'), minute: getNumber('minute') }
}

/** Returns the format of a time zone. Formats are reused, because creating one is slow. */
function getTimeFormat(timeZone: string): Intl.DateTimeFormat {
  const existingFormat = formatsByTimeZone.get(timeZone)
  if (existingFormat) {
    return existingFormat
  }

  const format = zonedFormat(timeZone, { hour: 'numeric', minute: 'numeric', hourCycle: 'h23' })
  formatsByTimeZone.set(timeZone, format)
  return format
}

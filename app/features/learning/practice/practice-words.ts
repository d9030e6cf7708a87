import { dayText, weekdayText } from '~/ui/date-text'
import { addDays } from '../course-work/study-time'

/** When practice goes on. @param day the learner's own, like 2026-11-22, as is `nextOn`. */
export function nextQuestionText(nextOn: string, day: string): string {
  if (nextOn === addDays(day, 1)) return 'The next question comes back tomorrow.'
  if (nextOn < addDays(day, 7)) return `The next question comes back on ${weekdayText(nextOn)}.`
  return `The next question comes back on ${dayText(nextOn)}.`
}

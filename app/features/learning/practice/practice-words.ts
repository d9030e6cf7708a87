import { dayText, weekdayText } from '~/ui/date-text'
import { addDays } from '../course-work/study-time'

/** When practice goes on. @param day the learner's own, like 2026-11-22, as is `nextOn`. */
export function nextQuestionText(nextOn: string, day: string): string {
  if (nextOn === addDays(day, 1)) return 'Your next question is due tomorrow.'
  if (nextOn < addDays(day, 7)) return `Your next question is due on ${weekdayText(nextOn)}.`
  return `Your next question is due on ${dayText(nextOn)}.`
}

import * as z from 'zod'
import { reminderHours } from './reminder'
import type { StudyPlan } from './weekly-goal'

const weekday = z.coerce.number().int().min(1).max(7)
const hour = z.coerce.number().refine((value) => reminderHours.some((one) => one === value))

/** @returns null for what is no such form. */
export function readStudyPlan(form: FormData): StudyPlan | null {
  const weekdays = z.array(weekday).max(7).safeParse(form.getAll('weekdays'))
  const reminderHour = z.union([z.literal('').transform(() => null), hour]).safeParse(form.get('reminderHour'))
  if (!weekdays.data || reminderHour.data === undefined) return null
  return { weekdays: [...new Set(weekdays.data)].sort(), reminderHour: reminderHour.data }
}

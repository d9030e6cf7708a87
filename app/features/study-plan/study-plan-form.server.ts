import * as z from 'zod'
import { unreadableRequest } from '~/server/http/server-messages.server'
import { reminderHours } from './reminder'
import { reminderNeedsDay } from './study-plan-messages'
import type { StudyPlan } from './weekly-goal'

const weekday = z.coerce.number().int().min(1).max(7)
const hour = z.coerce.number().refine((value) => reminderHours.some((one) => one === value))

/** @returns the plan, or why it is refused. */
export function readStudyPlan(form: FormData): { plan: StudyPlan } | { plan: null; problem: string } {
  const weekdays = z.array(weekday).max(7).safeParse(form.getAll('weekdays'))
  const reminderHour = z.union([z.literal('').transform(() => null), hour]).safeParse(form.get('reminderHour'))
  if (!weekdays.data || reminderHour.data === undefined) return { plan: null, problem: unreadableRequest }
  if (weekdays.data.length === 0 && reminderHour.data !== null) return { plan: null, problem: reminderNeedsDay }
  return { plan: { weekdays: [...new Set(weekdays.data)].sort(), reminderHour: reminderHour.data } }
}

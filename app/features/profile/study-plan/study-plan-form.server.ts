import * as z from 'zod'
import type { Database } from '~/server/database/client.server'
import { unreadableRequest } from '~/server/http/server-messages.server'
import { reminderHours } from './reminder'
import { reminderNeedsDay } from './study-plan-messages'
import { recordReminder, recordStudyDays } from './study-plan-queries.server'

const weekday = z.coerce.number().int().min(1).max(7)
const hour = z.coerce.number().refine((value) => reminderHours.some((one) => one === value))

/** One of them, by `part`; the other one stays. */
const forms = z.discriminatedUnion('part', [
  z.object({
    part: z.literal('goal'),
    weekdays: z
      .array(weekday)
      .max(7)
      .transform((days) => [...new Set(days)].sort()),
  }),
  z.object({
    part: z.literal('reminder'),
    reminderHour: z.union([z.literal('').transform(() => null), hour]),
  }),
])

/**
 * Stores the days of the weekly goal, or when reminders come.
 *
 * @returns null, or why it is refused.
 */
export async function saveStudyPlan(
  db: Database,
  uid: string,
  form: FormData,
): Promise<string | null> {
  const { data } = forms.safeParse({
    ...Object.fromEntries(form),
    weekdays: form.getAll('weekdays'),
  })
  if (!data) {
    return unreadableRequest
  }

  if (data.part === 'goal') {
    await recordStudyDays(db, uid, data.weekdays)
    return null
  }

  return (await recordReminder(db, uid, data.reminderHour)) ? null : reminderNeedsDay
}

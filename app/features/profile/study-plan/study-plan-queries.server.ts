/**
 * Reads and saves study plans: the weekdays of a weekly goal, and the hour of an optional reminder.
 *
 * The column `look_at` is the time at which the background job checks next whether a reminder is
 * due. It is null without a reminder, and now() makes the job compute it again.
 */
import { type SQL, sql } from 'drizzle-orm'
import * as z from 'zod'
import type { Database } from '~/server/database/client.server'
import { serverMessages } from '~/server/http/server-messages.server'
import { failure, type Result, success } from '~/server/result'
import { reminderHours } from './reminder'
import type { StudyPlan } from './weekly-goal'

/** Selects a learner's `StudyPlan` as JSON. A plan without days counts as no plan. */
export function selectStudyPlan(uid: string): SQL {
  return sql`
    select json_build_object('weekdays', weekdays, 'reminderHour', reminder_hour)
    from study_plans
    where uid = ${uid} and weekdays <> '{}'`
}

export async function findStudyPlan(db: Database, uid: string): Promise<StudyPlan | null> {
  const { rows } = await db.execute<{ plan: StudyPlan | null }>(
    sql`select (${selectStudyPlan(uid)}) as plan`,
  )
  return rows[0]?.plan ?? null
}

const weekdaySchema = z.coerce.number().int().min(1).max(7)
const reminderHourSchema = z.coerce
  .number()
  .refine((hour) => reminderHours.some((reminderHour) => reminderHour === hour))

/** The weekly goal and its reminder have a form each. `part` says which form was submitted. */
const studyPlanForm = z.discriminatedUnion('part', [
  z.object({
    part: z.literal('goal'),
    weekdays: z
      .array(weekdaySchema)
      .max(7)
      .transform((days) => [...new Set(days)].sort()),
  }),
  z.object({
    part: z.literal('reminder'),
    reminderHour: z.union([z.literal('').transform(() => null), reminderHourSchema]),
  }),
])

/** Saves the days of the weekly goal, or the hour of the reminder. */
export async function saveStudyPlan(db: Database, uid: string, form: FormData): Promise<Result> {
  const submission = studyPlanForm.safeParse({
    ...Object.fromEntries(form),
    weekdays: form.getAll('weekdays'),
  })
  if (!submission.success) {
    return failure(serverMessages.unreadableRequest)
  }

  const { data } = submission
  if (data.part === 'goal') {
    await saveGoalWeekdays(db, uid, data.weekdays)
    return success()
  }

  if (data.reminderHour === null) {
    await stopReminders(db, uid)
    return success()
  }

  const hasGoal = await saveReminderHour(db, uid, data.reminderHour)
  return hasGoal ? success() : failure(reminderNeedsGoal)
}

/**
 * Saves the weekdays of the weekly goal. Without weekdays, the goal and its reminders end. The row
 * stays, because it stores when the latest reminder was sent: a goal that is set again on the same
 * day must not send a second reminder.
 */
async function saveGoalWeekdays(
  db: Database,
  uid: string,
  weekdays: readonly number[],
): Promise<void> {
  if (weekdays.length === 0) {
    await db.execute(sql`
      update study_plans
      set weekdays = '{}', reminder_hour = null, look_at = null
      where uid = ${uid}`)
    return
  }

  await db.execute(sql`
    insert into study_plans as p (uid, weekdays)
    values (${uid}, ${`{${weekdays.join(',')}}`}::smallint[])
    on conflict (uid) do update
    set
      weekdays = excluded.weekdays,
      look_at = case when p.reminder_hour is not null then now() end`)
}

/** @returns false if the learner has no weekly goal */
async function saveReminderHour(db: Database, uid: string, hour: number): Promise<boolean> {
  const { rows } = await db.execute(sql`
    update study_plans
    set reminder_hour = ${hour}, look_at = now()
    where uid = ${uid} and weekdays <> '{}'
    returning uid`)
  return rows.length > 0
}

/**
 * Makes the job compute the time of the next reminder again, after the learner's time zone changed.
 */
export async function rescheduleReminder(db: Database, uid: string): Promise<void> {
  await db.execute(sql`
    update study_plans
    set look_at = now()
    where uid = ${uid} and reminder_hour is not null`)
}

/** @returns whether the learner had reminders */
export async function stopReminders(db: Database, uid: string): Promise<boolean> {
  const { rows } = await db.execute(sql`
    update study_plans
    set reminder_hour = null, look_at = null
    where uid = ${uid} and reminder_hour is not null
    returning uid`)
  return rows.length > 0
}

const reminderNeedsGoal = 'Choose at least one day for reminders.'

import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '~/server/database/client.server'
import type { StudyPlan } from './weekly-goal'

/** A learner's `StudyPlan` as JSON, for a part of another query; a row without days is none. */
export function studyPlanRow(uid: string): SQL {
  return sql`select json_build_object('weekdays', weekdays, 'reminderHour', reminder_hour) from study_plans
    where uid = ${uid} and weekdays <> '{}'`
}

export async function findStudyPlan(db: Database, uid: string): Promise<StudyPlan | null> {
  const {
    rows: [row],
  } = await db.execute<{ plan: StudyPlan | null }>(sql`select (${studyPlanRow(uid)}) as plan`)
  return row?.plan ?? null
}

/**
 * A plan without days is no goal. Its row stays, because it says when the latest reminder was sent: a goal set again the
 * same day sends no second one. Repeating it changes nothing.
 */
export async function recordStudyPlan(db: Database, uid: string, { weekdays, reminderHour }: StudyPlan): Promise<void> {
  if (weekdays.length === 0) {
    await db.execute(sql`
      update study_plans set weekdays = '{}', reminder_hour = null, look_at = null where uid = ${uid}`)
    return
  }
  const days = `{${weekdays.join(',')}}`
  await db.execute(sql`
    insert into study_plans (uid, weekdays, reminder_hour, look_at)
    values (${uid}, ${days}::smallint[], ${reminderHour}::smallint, case when ${reminderHour}::smallint is not null then now() end)
    on conflict (uid) do update set weekdays = excluded.weekdays, reminder_hour = excluded.reminder_hour, look_at = excluded.look_at`)
}

/** Recomputes the next check after the learner's time zone changed. */
export async function rescheduleReminder(db: Database, uid: string): Promise<void> {
  await db.execute(sql`update study_plans set look_at = now() where uid = ${uid} and reminder_hour is not null`)
}

/** @returns whether there were reminders to stop. */
export async function stopReminders(db: Database, uid: string): Promise<boolean> {
  const { rows } = await db.execute(sql`
    update study_plans set reminder_hour = null, look_at = null where uid = ${uid} and reminder_hour is not null
    returning uid`)
  return rows.length > 0
}

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
 * A plan without days is no goal, and has no reminders. Its row stays, because it says when the
 * latest reminder was sent: a goal set again the same day sends no second one. Repeating it changes
 * nothing.
 */
export async function recordStudyDays(
  db: Database,
  uid: string,
  weekdays: readonly number[],
): Promise<void> {
  if (weekdays.length === 0) {
    await db.execute(sql`
      update study_plans set weekdays = '{}', reminder_hour = null, look_at = null where uid = ${uid}`)
    return
  }

  await db.execute(sql`
    insert into study_plans as p (uid, weekdays) values (${uid}, ${`{${weekdays.join(',')}}`}::smallint[])
    on conflict (uid) do update
    set weekdays = excluded.weekdays, look_at = case when p.reminder_hour is not null then now() end`)
}

/** @param hour null for none. @returns false if there are no days for reminders. */
export async function recordReminder(
  db: Database,
  uid: string,
  hour: number | null,
): Promise<boolean> {
  if (hour === null) {
    await stopReminders(db, uid)
    return true
  }

  const { rows } = await db.execute(sql`
    update study_plans set reminder_hour = ${hour}, look_at = now() where uid = ${uid} and weekdays <> '{}' returning uid`)
  return rows.length > 0
}

/** Recomputes the next check after the learner's time zone changed. */
export async function rescheduleReminder(db: Database, uid: string): Promise<void> {
  await db.execute(
    sql`update study_plans set look_at = now() where uid = ${uid} and reminder_hour is not null`,
  )
}

/** @returns whether there were reminders to stop. */
export async function stopReminders(db: Database, uid: string): Promise<boolean> {
  const { rows } = await db.execute(sql`
    update study_plans set reminder_hour = null, look_at = null where uid = ${uid} and reminder_hour is not null
    returning uid`)
  return rows.length > 0
}

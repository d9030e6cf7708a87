import { sql } from 'drizzle-orm'
import type { Database } from '~/server/database/client.server'
import { queueMail } from '~/server/outbox.server'
import type { Transaction } from '../course-work/course-work-lock.server'
import { isReminderDue, nextLook } from './reminder'

type PlanRow = {
  uid: string
  weekdays: number[]
  reminderHour: number
  /** Milliseconds since 1970, as text. */
  remindedAt: string | null
  timeZone: string
  mayMail: boolean
  learnedDays: string[]
}

const atOnce = 100

/**
 * Queues the reminders that are due, a hundred learners at a time. Several processes may do this at once: each plan is
 * looked at by one of them.
 *
 * @returns how many were queued.
 */
export function sendDueReminders(db: Database, now: Date): Promise<number> {
  return db.transaction(async (transaction) => {
    let sent = 0
    for (const row of await lockPlansToLookAt(transaction, now)) {
      const { uid, weekdays, reminderHour, timeZone, learnedDays } = row
      const remindedAt = row.remindedAt === null ? null : new Date(Number(row.remindedAt))
      const due =
        row.mayMail && isReminderDue({ plan: { weekdays, reminderHour }, timeZone, learnedDays, remindedAt }, now)
      if (due) await queueMail(transaction, uid, 'study-reminder', now.getTime())
      if (due) sent++
      await transaction.execute(sql`
        update study_plans set look_at = ${nextLook(reminderHour, timeZone, now).toISOString()}::timestamptz,
          reminded_at = case when ${due}::boolean then ${now.toISOString()}::timestamptz else reminded_at end
        where uid = ${uid}`)
    }
    return sent
  })
}

/** A day more than a week, because the learner's may be another one than UTC's. */
function lockPlansToLookAt(transaction: Transaction, now: Date): Promise<PlanRow[]> {
  return transaction.execute<PlanRow>(sql`
    select p.uid, to_json(p.weekdays) as weekdays, p.reminder_hour as "reminderHour", u.display_timezone as "timeZone",
      (extract(epoch from p.reminded_at) * 1000)::bigint::text as "remindedAt",
      u.email_verified and not u.banned as "mayMail",
      (select coalesce(json_agg(day), '[]') from study_days d
        where d.uid = p.uid and not isempty(d.studied) and d.day >= ${now.toISOString()}::timestamptz::date - 8) as "learnedDays"
    from study_plans p join users u on u.id = p.uid
    where p.look_at <= ${now.toISOString()}::timestamptz and p.reminder_hour is not null
    order by p.look_at limit ${atOnce} for update of p skip locked`)
}
